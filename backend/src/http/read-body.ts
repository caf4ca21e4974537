import type { IncomingMessage } from 'node:http';
import type { Client } from '../limits/client.ts';
import type { Resources } from '../limits/resources.ts';
import type { Exchange } from './exchange.ts';

export interface BodyOptions {
  readonly maxBytes: number;
  /** The sender, if it is known; the client of the exchange by default. */
  readonly client?: Client;
}

export type BodyResult =
  | { readonly ok: true; readonly bytes: Buffer<ArrayBuffer> }
  | { readonly ok: false; readonly reason: 'too-large' | 'aborted' };

/**
 * The bytes of a body that are read in one turn of the event loop, which are all that a socket gives at once. Most bodies
 * are smaller, and wait for none.
 */
const turnBytes = 64 * 1024;
/** A piece costs as much time as this many bytes, however short it is. */
const pieceBytes = 2048;
/** Shorter pieces share buffers of this length, since each buffer takes some hundred bytes besides. */
const gatheredBytes = 16 * 1024;

/**
 * Reads the body of a request.
 *
 * - A body is buffered up to `maxBytes`, and is charged to its sender until the request is answered. Nothing is buffered of
 *   one that is announced to be larger.
 * - The rest of a body that is refused is read and discarded, because a client that is still sending does not see an
 *   answer. The connection is cut above `discardedBytes` more, and when a transfer stalls.
 *
 * @throws {LimitError} after the client has sent the whole body.
 */
export async function readBody(exchange: Exchange, options: BodyOptions): Promise<BodyResult> {
  const { request, resources } = exchange;
  const { maxBytes, client = exchange.client } = options;
  const { stalledBodyBytes, stalledBodyMs, discardedBytes } = resources.limits;
  const cut = () => void request.destroy();
  const lease = exchange.take('bodyBytes', client, 0);
  const transfer = resources.transfers.begin(cut, { bytes: stalledBodyBytes, inMs: stalledBodyMs });
  let gathering = createGathering();
  let received = 0;
  const isAnnouncedTooLarge = Number(request.headers['content-length']) > maxBytes;
  const isTooLarge = () => isAnnouncedTooLarge || received > maxBytes;
  let refusal: unknown;
  try {
    for await (const piece of piecesInTurn(request, resources, client)) {
      transfer.moved(piece.length);
      received += piece.length;
      if (received > maxBytes + discardedBytes) cut();
      if (!isTooLarge() && refusal === undefined) {
        try {
          lease.set(received);
          gathering.add(piece);
          continue;
        } catch (error) {
          refusal = error;
        }
      }
      gathering = createGathering();
      lease.release();
    }
  } catch {
    lease.release();
    return { ok: false, reason: 'aborted' };
  } finally {
    transfer.ended();
  }
  if (refusal !== undefined) throw refusal;
  if (isTooLarge()) return { ok: false, reason: 'too-large' };
  return { ok: true, bytes: gathering.joined() };
}

/**
 * Gathers the pieces of a body. Long ones are kept as they are until they are joined: a buffer that grows would be copied
 * again and again. Short ones are copied, and those that share the memory of all that the connection has received.
 */
function createGathering() {
  const full: Buffer[] = [];
  let last: Buffer = Buffer.alloc(0);
  let usedOfLast = 0;
  let length = 0;
  const startNext = (next: Buffer): void => {
    full.push(last.subarray(0, usedOfLast));
    last = next;
    usedOfLast = 0;
  };
  return {
    add(piece: Buffer) {
      length += piece.length;
      if (piece.length >= gatheredBytes && piece.length === piece.buffer.byteLength) {
        startNext(piece);
      } else {
        if (usedOfLast + piece.length > last.length)
          startNext(Buffer.alloc(Math.max(piece.length, Math.min(length, gatheredBytes))));
        piece.copy(last, usedOfLast);
      }
      usedOfLast += piece.length;
    },
    joined: () => Buffer.concat([...full, last.subarray(0, usedOfLast)], length),
  };
}

/** Reads and discards the rest of the body of a refused request. */
export async function discardBody(exchange: Exchange): Promise<void> {
  if (!exchange.request.readableEnded) await readBody(exchange, { maxBytes: 0 });
}

/**
 * Yields the pieces of the body, a few in each turn of the sender. Stopping early keeps the connection open, so that the
 * caller can answer on it.
 */
export async function* piecesInTurn(
  request: IncomingMessage,
  resources: Pick<Resources, 'bodyTurn'>,
  client: Client,
): AsyncGenerator<Buffer> {
  let inTurn = 0;
  const pieces: AsyncIterator<unknown> = request.iterator({ destroyOnReturn: false });
  try {
    for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
      if (!Buffer.isBuffer(next.value)) continue;
      yield next.value;
      inTurn += Math.max(next.value.length, pieceBytes);
      if (inTurn < turnBytes) continue;
      await resources.bodyTurn(client);
      inTurn = 0;
    }
  } finally {
    await pieces.return?.();
  }
}
