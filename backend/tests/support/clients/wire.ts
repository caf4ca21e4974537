import { Agent, request, type IncomingMessage } from 'node:http';

/** A plain HTTP client with its own network address, so that a server distinguishes clients of one machine. */
export interface Wire {
  readonly origin: string;
  /** The status 0 stands for a connection that broke. */
  ask(asked: WireRequest): Promise<WireAnswer>;
  /** Streams the body to `onText`; resolves to the status when it ends or breaks. @throws what `onText` throws. */
  stream(asked: StreamRequest): Promise<number>;
  close(): void;
}

export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Breaks the connection after so many bytes of the body. */
  readonly breakAfter?: number;
}

interface StreamRequest {
  readonly path: string;
  readonly onText: (text: string) => void;
  readonly signal: AbortSignal;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly bytes: Buffer;
}

/** The time limit for an answer. */
const timeoutMs = 60_000;
const broken: WireAnswer = { status: 0, headers: {}, bytes: Buffer.alloc(0) };

/** Linux answers on every address of 127.0.0.0/8; elsewhere all clients share one. */
export const localAddress = (host: number): { localAddress?: string } =>
  process.platform === 'linux' ? { localAddress: `127.0.${host >> 8}.${host & 255}` } : {};

/** @param host a number below 65,536, which stands for a network address. */
export function createWire(port: number, host = 1): Wire {
  const agent = new Agent({ keepAlive: true });
  const target = { host: '127.0.0.1', port, agent, ...localAddress(host) };

  const ask = ({ breakAfter, body = '', ...asked }: WireRequest): Promise<WireAnswer> =>
    new Promise((resolve) => {
      const bytes = Buffer.from(body);
      const length = { 'Content-Length': String(bytes.length) };
      const sent = request({ ...target, ...asked, headers: { ...length, ...asked.headers } });
      const fail = () => resolve(broken);
      sent.on('error', fail);
      sent.setTimeout(timeoutMs, () => sent.destroy());
      sent.on('response', (answer) => {
        const chunks: Buffer[] = [];
        const { statusCode: status = 0, headers } = answer;
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', fail);
        answer.on('close', fail);
        answer.on('end', () => resolve({ status, headers, bytes: Buffer.concat(chunks) }));
      });
      if (breakAfter === undefined) return sent.end(bytes);
      sent.write(bytes.subarray(0, breakAfter), () => sent.destroy());
      return undefined;
    });

  return {
    origin: `http://127.0.0.1:${port}`,
    ask,
    stream: ({ path, onText, signal }) =>
      new Promise((resolve, reject) => {
        const sent = request({ ...target, path, signal });
        sent.on('error', () => resolve(0));
        sent.on('response', (answer) => {
          answer.setEncoding('utf8');
          answer.on('data', (text: string) => {
            try {
              onText(text);
            } catch (error) {
              sent.destroy();
              reject(error instanceof Error ? error : new Error(String(error)));
            }
          });
          answer.on('error', () => resolve(0));
          answer.on('close', () => resolve(answer.statusCode ?? 0));
        });
        sent.end();
      }),
    close: () => agent.destroy(),
  };
}
