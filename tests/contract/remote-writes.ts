import type { RemoteWrite, TransactionPlan, TransactionView } from '../../replication/ports.ts';
import type { Fields } from '../../schemas/documents/sync-state.ts';

export function petWrite(
  ownerId: string,
  id: string,
  fields: Fields = { name: 'Rex' },
): RemoteWrite {
  const edits = Object.fromEntries(Object.keys(fields).map((name) => [name, 1_000]));
  const identity = { collection: 'pets', id, petId: null, ownerId } as const;
  return { ...identity, fields, edits, deleted: false, seq: 0 };
}

export function entryWrite(ownerId: string, id: string, petId: string): RemoteWrite {
  const fields = { createdDate: 1_700_000_000_123, type: 'note', text: `note ${id}` };
  const edits = { createdDate: 1, type: 1, text: 1 };
  const identity = { collection: 'entries', id, petId, ownerId } as const;
  return { ...identity, fields, edits, deleted: false, seq: 0 };
}

export function tombstone(write: RemoteWrite): RemoteWrite {
  return { ...write, fields: {}, edits: {}, deleted: true };
}

/** Returns a plan of these writes, numbered from the head that the transaction read. */
export function planOf(
  view: TransactionView,
  writes: readonly RemoteWrite[],
): TransactionPlan<readonly number[]> {
  const start = view.head ?? { head: 0, epoch: 'epoch-of-the-suite' };
  const numbered = writes.map((write, index) => ({ ...write, seq: start.head + index + 1 }));
  const head = { ...start, head: start.head + writes.length };
  return { head, writes: numbered, result: numbered.map(({ seq }) => seq) };
}
