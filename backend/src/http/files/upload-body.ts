import type { UploadBody } from '../../storage/uploads/takeover.ts';
import { StorageError } from '../../storage/storage-error.ts';
import type { Exchange } from '../exchange.ts';
import { piecesInTurn } from '../read-body.ts';

/** Streams a request body. It reads the next piece after the last one is consumed, so a slow disk slows the sender down. */
export function uploadBody({ request, resources, client }: Exchange): UploadBody {
  const abort = () => void request.destroy();
  async function* pieces() {
    const { stalledBodyBytes: bytes, stalledFileMs: inMs } = resources.limits;
    const transfer = resources.transfers.begin(abort, { bytes, inMs });
    try {
      for await (const piece of piecesInTurn(request, resources, client)) {
        transfer.moved(piece.length);
        yield piece;
      }
    } catch {
      throw new StorageError('interrupted', 'The body ended before it was complete.');
    } finally {
      transfer.ended();
    }
  }
  return { bytes: pieces(), abort };
}
