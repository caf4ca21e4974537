import type { IncomingMessage } from 'node:http';
import type { UploadBody } from '../../storage/uploads/takeover.ts';
import { StorageError } from '../../storage/storage-error.ts';
import type { TransferWatch } from './transfer-watch.ts';

/**
 * - The next piece is read from the connection when the last one is used up, so a slow disk slows the sender down.
 * - Whoever stops reading early keeps the connection, to answer on it.
 */
export function uploadBody(request: IncomingMessage, watch: TransferWatch): UploadBody {
  const abort = () => void request.destroy();
  async function* bytes() {
    const transfer = watch.begin(abort);
    try {
      for await (const piece of piecesOf(request)) {
        transfer.moved();
        yield piece;
      }
    } catch {
      throw new StorageError('interrupted', 'The body ended before it was complete.');
    } finally {
      transfer.ended();
    }
  }
  return { bytes: bytes(), abort };
}

/**
 * Reads what a client still sends, since it does not see an answer before. False when that is too much, or when it is
 * gone.
 */
export async function drain(
  request: IncomingMessage,
  watch: TransferWatch,
  maxBytes: number,
): Promise<boolean> {
  let bytes = 0;
  try {
    for await (const piece of uploadBody(request, watch).bytes) {
      bytes += piece.length;
      if (bytes > maxBytes) return false;
    }
    return true;
  } catch {
    return false;
  }
}

async function* piecesOf(request: IncomingMessage): AsyncGenerator<Buffer> {
  const pieces: AsyncIterator<unknown> = request.iterator({ destroyOnReturn: false });
  try {
    for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
      if (Buffer.isBuffer(next.value)) yield next.value;
    }
  } finally {
    await pieces.return?.();
  }
}
