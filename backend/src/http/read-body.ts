import type { IncomingMessage } from 'node:http';
import type { Client } from '../limits/client.ts';
import type { Exchange } from './exchange.ts';

/**
 * - A body is kept up to a limit, and counts as its sender's until it is answered.
 * - What is not kept is read and thrown away, because a client that is still sending does not see an answer. Beyond a
 *   limit the connection is cut, and so it is when hardly anything comes.
 */
export interface BodyOptions {
  readonly maxBytes: number;
  /** The sender, when it is known already. */
  readonly client?: Client;
}

export type BodyResult =
  | { readonly ok: true; readonly bytes: Buffer<ArrayBuffer> }
  | { readonly ok: false; readonly reason: 'too-large' | 'aborted' };

/** @throws {LimitError} once everything has come that the client had to send. */
export async function readBody(exchange: Exchange, options: BodyOptions): Promise<BodyResult> {
  const { request, resources } = exchange;
  const { maxBytes, client = exchange.client } = options;
  const { stalledBodyBytes, stalledBodyMs, discardedBytes } = resources.limits;
  const cut = () => void request.destroy();
  const lease = resources
    .level('bodyBytes')
    .take(client, 0, { onYield: cut, isReplaceable: false });
  exchange.hold(lease);
  const transfer = resources.transfers.begin(cut, { bytes: stalledBodyBytes, inMs: stalledBodyMs });
  let chunks: Buffer[] = [];
  let received = 0;
  let refusal: unknown;
  try {
    for await (const piece of piecesOf(request)) {
      transfer.moved(piece.length);
      received += piece.length;
      if (received > maxBytes + discardedBytes) cut();
      if (received <= maxBytes && refusal === undefined) {
        try {
          lease.set(received);
          chunks.push(piece);
          continue;
        } catch (error) {
          refusal = error;
        }
      }
      chunks = [];
      lease.release();
    }
  } catch {
    lease.release();
    return { ok: false, reason: 'aborted' };
  } finally {
    transfer.ended();
  }
  if (refusal !== undefined) throw refusal;
  if (received > maxBytes) return { ok: false, reason: 'too-large' };
  return { ok: true, bytes: Buffer.concat(chunks) };
}

/** Reads what a client still sends to somebody who has refused it. */
export async function discardBody(exchange: Exchange): Promise<void> {
  if (!exchange.request.readableEnded) await readBody(exchange, { maxBytes: 0 });
}

/** A caller that stops reading early keeps the connection, to answer on it. */
export async function* piecesOf(request: IncomingMessage): AsyncGenerator<Buffer> {
  const pieces: AsyncIterator<unknown> = request.iterator({ destroyOnReturn: false });
  try {
    for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
      if (Buffer.isBuffer(next.value)) yield next.value;
    }
  } finally {
    await pieces.return?.();
  }
}
