import * as v from 'valibot';
import type { LocalDocument } from '../../../schemas/documents/document.ts';
import { noteTextSchema } from '../../../schemas/documents/journal-entry.ts';
import { replacedVersion, type Replaced } from '../../../schemas/local/conflict-version.ts';
import { deletePetJobId } from '../../../schemas/local/local-record.ts';
import { journalEntryNotFound, somethingWentWrong } from '../../../schemas/copy/form-copy.ts';
import { petNameSchema } from '../../../schemas/documents/pet.ts';
import { withPlainLineEnds } from '../../../schemas/documents/plain-text.ts';
import { petChangesSchema, type PetChanges } from '../../../schemas/forms/pet-edit.ts';
import { deletedEntryFileKeptMs, deletionRecords } from '../../../schemas/local/remove-file.ts';
import { writeRecord } from '../../../store/change-documents.ts';
import { localDate } from '../../lib/dates/calendar-date.ts';
import { createRisingClock } from '../../lib/dates/rising-clock.ts';
import { CommandError, told, type Commands, type Repairs } from './commands.ts';
import { derivedId } from '../../../store/derived-id.ts';
import { createDocuments, type DocumentsDeps } from './documents.ts';

export interface CommandsDeps extends DocumentsDeps {
  /** Epoch milliseconds of this device's uncorrected clock. */
  readonly now: () => number;
  readonly newId: () => string;
  /** Begins to tombstone a pet and its journal. The next start runs it again if it was interrupted. */
  readonly beginDeletePetJob: (petId: string) => Promise<void>;
  /** Called when something was stored that sync should send. */
  readonly onWritten: () => void;
  /** Called when a note was stored, so that there is data on this device to protect. */
  readonly onNoteKept: () => void;
  /**
   * Returns the commands of the session that is open by now: a page that resumes opens the database anew, and an Undo
   * outlives that. Without it, these commands stay the owner's only ones.
   */
  readonly newest?: () => Promise<Pick<Commands, 'restoreEntry'>>;
}

const notStored =
  'This could not be stored on your device, so it was not saved. Free some space and try again.';

/** Turns empty texts into null, which clears the field. */
function withoutEmpty(changes: PetChanges): Record<string, string | null> {
  const named = Object.entries(changes).map(([name, value]) => [name, value === '' ? null : value]);
  return Object.fromEntries(named);
}

/** Returns the fields that the changes replace by rule D5.14, without having been seen, and who wrote them. */
function unseenOf(
  pet: LocalDocument,
  changes: Readonly<Record<string, string | null>>,
  opened: Readonly<Record<string, string>>,
): Pick<Replaced, 'names' | 'side'> {
  const names = Object.keys(changes).filter((name) => {
    const stored = withPlainLineEnds(String(pet.fields[name] ?? ''));
    return ![opened[name] ?? stored, changes[name] ?? ''].includes(stored);
  });
  const pulled = pet.pending === 0 ? pet : pet.base;
  const isPulled = names.every((name) => pet.fields[name] === pulled?.fields[name]);
  return { names, side: isPulled ? 'server' : 'local' };
}

export function createCommands(deps: CommandsDeps): Commands {
  const documents = createDocuments(deps);
  const nextCreatedDate = createRisingClock(deps.correctedNow);

  /** Writes a deleted document again under a derived id, because a tombstone stays, here and on the server. */
  const restore = async ({ id, collection, petId, fields, deleted }: LocalDocument) => {
    let newId = await derivedId(id);
    if (deleted) return newId;
    await documents.commit(async () => {
      newId = await documents.freeId(collection, newId);
      return documents.planAdd({ collection, id: newId, petId, fields });
    });
    return newId;
  };

  /** Loads the repairs on their first use, because few owners ever need them. */
  const loadRepairs = async (): Promise<Repairs> => {
    const { createRepairs } = await import('./rx-repairs.ts');
    return createRepairs({ ...deps, documents });
  };

  const run = <Result>(work: () => Promise<Result>): Promise<Result> =>
    told(notStored, async () => {
      try {
        const result = await work();
        deps.onWritten();
        return result;
      } catch (error) {
        if (!(error instanceof v.ValiError)) throw error;
        throw new CommandError('invalid', error.message, { cause: error });
      }
    });

  const keep = async (add: () => Promise<string>): Promise<string> => {
    const id = await run(add);
    deps.onNoteKept();
    return id;
  };

  const repair = (work: (repairs: Repairs) => Promise<void>): Promise<void> =>
    run(async () => work(await told(somethingWentWrong, loadRepairs)));

  const newest = deps.newest ?? (async () => commands);

  const commands: Commands = {
    createPet: ({ name }) =>
      run(async () => {
        const fields = { name: v.parse(petNameSchema, name) };
        const id = deps.newId();
        await documents.add({ collection: 'pets', id, petId: null, fields });
        return id;
      }),
    updatePet: (petId, changes, opened = {}) =>
      run(async () => {
        const nowMs = deps.correctedNow();
        const checked = withoutEmpty(v.parse(petChangesSchema(localDate(nowMs)), changes));
        await documents.commit(async () => {
          const from = await documents.requirePet(petId);
          const unseen = unseenOf(from.document, checked, opened);
          return {
            swaps: [{ from, to: documents.edited(from.document, checked) }],
            records: replacedVersion(from.document, { ...unseen, keptAtMs: nowMs }),
          };
        });
      }),
    deletePet: (petId) =>
      run(async () => {
        await writeRecord(deps.store, deletePetJobId(petId), { kind: 'delete-pet', petId });
        await deps.beginDeletePetJob(petId);
      }),
    addNote: (note) =>
      keep(async () => {
        const { id = deps.newId(), petId, createdDate = nextCreatedDate() } = note;
        const text = v.parse(noteTextSchema, note.text);
        const fields = { createdDate, type: 'note', text };
        await documents.add({ collection: 'entries', id, petId, fields });
        return id;
      }),
    addVoiceNote: ({ id, petId, words, ...content }, recording) =>
      keep(async () => {
        const { text = '', transcript = 'waiting' } = words ?? {};
        const written = text.trim() === '' ? {} : { text: v.parse(noteTextSchema, text) };
        const fields = { ...content, ...written, type: 'voice-note', transcript };
        const entry = { collection: 'entries', id, petId, fields } as const;
        const isAdded = await documents.add(entry, recording);
        // An import, here or on another device, may have brought the recording before its owner kept it.
        if (!isAdded && written.text !== undefined) {
          await documents.change('entries', id, (stored) => {
            const hasWords = transcript !== 'edited' && stored.fields['text'] !== undefined;
            const isKept = stored.deleted || hasWords;
            return isKept ? stored : documents.edited(stored, { ...written, transcript });
          });
        }
        return id;
      }),
    editText: (entryId, words) =>
      run(async () => {
        const text = v.parse(noteTextSchema, words);
        await documents.change('entries', entryId, (entry) => {
          const { type, text: before } = entry.fields;
          const isSpoken = type === 'voice-note';
          if (entry.deleted) throw new CommandError('not-found', journalEntryNotFound);
          if (!isSpoken && text === before) return entry;
          return documents.edited(entry, { text, ...(isSpoken && { transcript: 'edited' }) });
        });
      }),
    awaitTranscript: (entryId, seen) =>
      run(() =>
        documents.change('entries', entryId, (entry) => {
          const { deleted, fields, edits } = entry;
          const isKept =
            deleted || fields['text'] !== undefined || fields['transcript'] === 'edited';
          return isKept || edits['transcript'] !== seen['transcript']
            ? entry
            : documents.edited(entry, { transcript: 'waiting' });
        }),
      ),
    deleteEntry: (entryId) =>
      run(async () => {
        const entry = await documents.removeEntry(entryId, (before) =>
          deletionRecords(before, deps.now() + deletedEntryFileKeptMs),
        );
        return async () => (await newest()).restoreEntry(entry);
      }),
    restoreEntry: (entry) => run(() => restore(entry)),
    retry: (...ref) => repair((repairs) => repairs.retry(...ref)),
    retryAll: () => repair((repairs) => repairs.retryAll()),
    discard: (...ref) => repair((repairs) => repairs.discard(...ref)),
    moveEntry: (...move) => repair((repairs) => repairs.moveEntry(...move)),
    restoreConflictVersion: (...version) =>
      repair((repairs) => repairs.restoreConflictVersion(...version)),
    discardConflictVersion: (versionId) =>
      repair((repairs) => repairs.discardConflictVersion(versionId)),
  };

  return commands;
}
