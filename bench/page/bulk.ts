import { commitMaxDocuments } from '../../schemas/limits.ts';
import type { BenchPage, BulkRequest } from './bench-page.ts';
import { inPieces, newEntries, newPet } from './entries.ts';
import { fill, syncOnce, withNewDatabase } from './our-database.ts';
import { eraseRaw, openRaw, toRawRows } from './raw-database.ts';
import { timed } from './stopwatch.ts';
import { createZeroCostRemote } from './zero-cost-remote.ts';

const bulkOwner = 'bench-bulk';
const bulkRaw = 'raw-bulk';
/** The size of one page of a pull. */
const pullPageSize = 500;

async function putByHand(count: number, pieceSize: number): Promise<number> {
  await eraseRaw(bulkRaw);
  const raw = await openRaw(bulkRaw);
  try {
    const rows = toRawRows(newEntries(count));
    return await timed(async () => {
      for (const piece of inPieces(rows, pieceSize)) await raw.put(piece, 'strict');
    });
  } finally {
    raw.close();
    await eraseRaw(bulkRaw);
  }
}

function pullAll({ count }: BulkRequest): Promise<number> {
  const remote = createZeroCostRemote([newPet(Date.now()), ...newEntries(count)]);
  return withNewDatabase(bulkOwner, async (database) => {
    const tookMs = await timed(() => syncOnce(database, remote.documents));
    const pulled = await database.journal_entries.count().exec();
    if (pulled !== count) throw new Error(`Pulled ${pulled}`);
    return tookMs;
  });
}

/** Measures the push of a device that was in sync with its one dog, and has written a whole journal since. */
function pushAll({ count }: BulkRequest): Promise<number> {
  const remote = createZeroCostRemote([newPet(Date.now())]);
  return withNewDatabase(bulkOwner, async (database) => {
    await syncOnce(database, remote.documents);
    await fill(database, newEntries(count));
    return timed(async () => {
      await syncOnce(database, remote.documents);
      if (remote.count() !== count + 1) throw new Error(`Pushed ${remote.count()}`);
    });
  });
}

export const firstSync: BenchPage['firstSync'] = (request) =>
  request.side === 'ours' ? pullAll(request) : putByHand(request.count, pullPageSize);

export const push: BenchPage['push'] = (request) =>
  request.side === 'ours' ? pushAll(request) : putByHand(request.count, commitMaxDocuments);
