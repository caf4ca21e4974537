import { newDocument, type Entry } from '../../schemas/documents/document.ts';
import { newId } from '../../src/platform/new-id.ts';
import type { BenchPage } from './bench-page.ts';
import { noteText, ownerUid, petId } from './entries.ts';
import { ownerOf, rawNameOf } from './journals.ts';
import { openSession } from './our-database.ts';
import { openRaw, toRawRow } from './raw-database.ts';
import { inTurns, timed } from './stopwatch.ts';

/** The number of runs after which the browser has compiled the code. */
const warmUps = 20;

/** Returns a note that is created now, like the command's. */
export function newRow(): Entry {
  const nowMs = Date.now();
  const identity = { collection: 'entries', id: newId(), ownerId: ownerUid, petId } as const;
  return toRawRow(
    newDocument(identity, { createdDate: nowMs, type: 'note', text: noteText }, nowMs),
  );
}

export const inserts: BenchPage['inserts'] = async ({ stored, inserts: turns }) => {
  const session = await openSession(ownerOf(stored));
  const raw = await openRaw(rawNameOf(stored));
  const commands = await session.data.commands();
  const variants = {
    ours: () => timed(() => commands.addNote({ petId, text: noteText })),
    rawStrict: () => timed(() => raw.put([newRow()], 'strict')),
    rawDefault: () => timed(() => raw.put([newRow()], 'default')),
  };
  try {
    return await inTurns({ variants, warmUps, turns });
  } finally {
    raw.close();
    await session.close();
  }
};
