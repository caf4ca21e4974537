import { connect, type ClientHttp2Session, type OutgoingHttpHeaders } from 'node:http2';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { testTls } from '../servers/test-tls.ts';

export interface H2Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

export interface H2Client {
  readonly session: ClientHttp2Session;
  /** Sends the body as it is; without one it is a GET. */
  ask(path: string, options?: H2Options): Promise<H2Answer>;
  /** A request whose body is still being written. */
  begin(path: string, headers?: OutgoingHttpHeaders): ReturnType<ClientHttp2Session['request']>;
}

interface H2Options {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
}

/** One connection of HTTP/2 to a server on this machine, closed when the test ends. */
export async function h2Client(port: number): Promise<H2Client> {
  const { cert } = await testTls();
  const session = connect(`https://localhost:${port}`, { ca: cert });
  session.on('error', () => undefined);
  onTestFinished(() => session.destroy());
  return {
    session,
    async ask(path, { body, method = body === undefined ? 'GET' : 'POST', headers = {} } = {}) {
      const stream = session.request({ ':path': path, ':method': method, ...headers });
      const answered = new Promise<Record<string, unknown>>((resolve, reject) => {
        stream.once('response', resolve).once('error', reject);
      });
      stream.end(body);
      const received = await answered;
      const { ':status': status, ...rest } = received;
      return { status: Number(status), headers: rest, body: await text(stream) };
    },
    begin(path, headers = {}) {
      const stream = session.request({ ':path': path, ':method': 'POST', ...headers });
      return stream.on('error', () => undefined);
    },
  };
}
