import type { IncomingMessage, ServerResponse } from 'node:http';
import { clientGone, type Client } from '../limits/client.ts';
import type { Lease } from '../limits/level.ts';
import type { LimitError } from '../limits/limit-error.ts';
import type { LevelName, Resources } from '../limits/resources.ts';
import type { Steps } from '../limits/slices.ts';

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  /** The client: by its address alone, until a route knows who is signed in. It is gone once the request is answered. */
  readonly client: Client;
  readonly resources: Resources;
  /**
   * Leases an amount for the client until the request is answered, or its client is gone. The request is cut when it has to
   * yield. @throws {LimitError}
   */
  readonly take: (level: LevelName, client: Client, amount: number) => Lease;
}

/**
 * Call it as soon as a request arrives: it releases leases on `close`, and a `close` that came before is missed.
 *
 * @throws {LimitError} when too many requests are open.
 */
export function createExchange(parts: Omit<Exchange, 'take'>): Exchange {
  const { response, resources } = parts;
  const leases: Lease[] = [];
  const over = new AbortController();
  response.once('close', () => {
    for (const each of leases) each.release();
    over.abort(clientGone);
  });
  const onYield = () => void response.destroy();
  const take = (level: LevelName, client: Client, amount: number) => {
    const lease = resources.level(level).take(client, amount, { onYield, isReplaceable: false });
    if (over.signal.aborted) lease.release();
    else leases.push(lease);
    return lease;
  };
  take('requests', parts.client, 1);
  return { ...parts, client: { ...parts.client, gone: over.signal }, take };
}

/** A family of paths. The router decides whether other origins may read the answers. */
export interface Route {
  matches(method: string, pathname: string): boolean;
  handle(exchange: Exchange): Promise<void> | void;
}

export const sendJson = (response: ServerResponse, status: number, body: unknown): void =>
  sendJsonText(response, status, JSON.stringify(body));

export const errorBody = (code: number, message: string) => ({ error: { code, message } });

/** The bytes that are leased for any answer up front, so a write is refused before it runs if its answer has no room. */
const answerBytes = 64 * 1024;

/** Leases room for an answer, charged to the client until the response closes. @throws {LimitError} */
export const takeAnswer = ({ take }: Exchange, client: Client): Lease =>
  take('answerBytes', client, answerBytes);

/** Sends an answer of any size. @throws {LimitError} when there is no room for it. */
export function sendLarge({ response, take, client }: Exchange, body: unknown): void {
  const text = JSON.stringify(body);
  take('answerBytes', client, text.length);
  sendJsonText(response, 200, text);
}

/** The characters that are written in one slice. */
const sliceChars = 250_000;

/** A list answer that is built part by part. */
export function createListAnswer({ response }: Exchange, room: Lease) {
  const texts: string[] = [];
  let chars = 0;
  let bytes = 0;
  return {
    /** @throws {LimitError} when there is no room for the part. */
    take: (part: unknown) => {
      // A text that is joined with another one is copied to be measured.
      const text = JSON.stringify(part);
      chars += text.length;
      bytes += Buffer.byteLength(text);
      if (chars > answerBytes) room.set(chars);
      texts.push(text);
    },
    /** Sends the parts in slices, at the pace of the reader. */
    *send(): Steps<void> {
      const commas = Math.max(0, texts.length - 1);
      response.writeHead(200, headOf('application/json', bytes + commas + '[]'.length));
      let slice = '[';
      for (const [at, text] of texts.entries()) {
        slice += at === 0 ? text : `,${text}`;
        if (slice.length < sliceChars) continue;
        yield response.write(slice) ? undefined : drained(response);
        slice = '';
      }
      response.end(`${slice}]`);
    },
  };
}

/** Resolves when the client has read what was written, or is gone. */
const drained = (response: ServerResponse) =>
  new Promise<void>((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });

/** Sets the `Retry-After` header, in seconds. */
export function setRetryAfter(response: ServerResponse, { retryAfterMs }: LimitError): void {
  response.setHeader('Retry-After', Math.ceil(retryAfterMs / 1000));
}

/** Decodes a path; undefined when it is malformed. */
export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const headOf = (type: string, bytes: number) => ({
  'Content-Type': `${type}; charset=utf-8`,
  'Content-Length': bytes,
  'Cache-Control': 'no-store',
});

/** Returns a function that sends texts of a media type. */
export const sender =
  (type: string) => (response: ServerResponse, status: number, text: string) => {
    response.writeHead(status, headOf(type, Buffer.byteLength(text)));
    response.end(text);
  };

export const sendText = sender('text/plain');
const sendJsonText = sender('application/json');
