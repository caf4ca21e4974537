import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Client } from '../limits/client.ts';
import type { Lease } from '../limits/level.ts';
import type { LimitError } from '../limits/limit-error.ts';
import type { Resources } from '../limits/resources.ts';

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  /** Nobody is signed in as far as the router knows. */
  readonly client: Client;
  readonly resources: Resources;
  /** Releases the lease once the request is answered, or its client is gone. */
  readonly hold: (lease: Lease) => void;
}

/** To be called as soon as the request is there: what its client leaves behind would not be released later. */
export function createExchange(parts: Omit<Exchange, 'hold'>): Exchange {
  const leases: Lease[] = [];
  let isOver = false;
  parts.response.once('close', () => {
    isOver = true;
    for (const each of leases) each.release();
  });
  const hold = (lease: Lease) => (isOver ? lease.release() : void leases.push(lease));
  return { ...parts, hold };
}

/** A family of paths; whether its answers are readable from other origins is decided by the router. */
export interface Route {
  /** For the log. */
  readonly name: string;
  matches(method: string, pathname: string): boolean;
  handle(exchange: Exchange): Promise<void> | void;
}

export const sendJson = (response: ServerResponse, status: number, body: unknown): void =>
  sendJsonText(response, status, JSON.stringify(body));

/** The room that is leased for any answer. A write is refused before it is done if there is no room for its answer. */
const ANSWER_BYTES = 64 * 1024;

/** The room for an answer: it counts as its reader's until it has left. @throws {LimitError} */
export function takeAnswer({ response, resources, hold }: Exchange, client: Client): Lease {
  const onYield = () => void response.destroy();
  const level = resources.level('answerBytes');
  const lease = level.take(client, ANSWER_BYTES, { onYield, isReplaceable: false });
  hold(lease);
  return lease;
}

/** Sends what was read, as far as there is room for it. @throws {LimitError} */
export function sendLarge(response: ServerResponse, room: Lease, body: unknown): void {
  const text = JSON.stringify(body);
  if (text.length > ANSWER_BYTES) room.set(text.length);
  sendJsonText(response, 200, text);
}

/** A list that is made part by part, as far as there is room for it. */
export interface ListAnswer {
  /** @throws {LimitError} */
  readonly take: (part: unknown) => void;
  send(): void;
}

export function createListAnswer(response: ServerResponse, room: Lease): ListAnswer {
  const texts: string[] = [];
  let chars = 0;
  return {
    take(part) {
      const text = JSON.stringify(part);
      texts.push(text);
      chars += text.length;
      if (chars > ANSWER_BYTES) room.set(chars);
    },
    send: () => sendJsonText(response, 200, `[${texts.join(',')}]`),
  };
}

/** Says when it is worth another try, in the header of that name. */
export function setRetryAfter(response: ServerResponse, { retryAfterMs }: LimitError): void {
  response.setHeader('Retry-After', Math.ceil(retryAfterMs / 1000));
}

const sender = (type: string) => (response: ServerResponse, status: number, text: string) => {
  response.writeHead(status, {
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
  });
  response.end(text);
};

export const sendText = sender('text/plain');
const sendJsonText = sender('application/json');
