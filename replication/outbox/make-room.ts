import type { Table } from 'dexie';
import { useIndex } from '../../store/file-stores.ts';

/** The second part of a key of {@link useIndex}. */
function byteLengthOf(use: unknown): number {
  return Array.isArray(use) ? Number(use[1]) : 0;
}

/** Beyond the limit those go that were used least lately; from the index alone, without reading bytes. */
export async function makeRoom(table: Table<unknown, string>, maxBytes: number): Promise<void> {
  const byUse = table.orderBy(useIndex);
  const [uses, ids] = [await byUse.keys(), await byUse.primaryKeys()];
  let total = 0;
  const tooMany = ids.toReversed().filter((_id, index) => {
    total += byteLengthOf(uses.at(-1 - index));
    return total > maxBytes;
  });
  await table.bulkDelete(tooMany);
}
