import {
  checkpointId,
  restoredEntryId,
  type LocalRecord,
  type LocalRecordKind,
} from '../../schemas/local-record.ts';
import { isOfDeleted, isTold, isUntouched, type OutboxJob } from '../../schemas/outbox-job.ts';
import type { LocalDocument } from '../../schemas/document.ts';
import { voiceNoteJobId } from '../../schemas/voice-note.ts';
import { deletedEntryFileKeptMs, fileOf, removal } from '../../schemas/remove-file.ts';
import type { Clock } from '../ports.ts';
import { writeRecord } from '../../store/change-documents.ts';
import type { DocumentStore, Writes } from '../../store/document-store.ts';
import type { Outbox } from '../../store/files/outbox.ts';
import { goneMark } from '../../store/files/voice-note-files.ts';

export interface FollowEntriesDeps {
  readonly outbox: Pick<Outbox, 'voiceNotes' | 'queue'>;
  readonly store: Pick<DocumentStore, 'get' | 'readRecord' | 'listRecords' | 'commit'>;
  readonly clock: Pick<Clock, 'now'>;
  /** The id under which a deleted entry comes back when its deletion is taken back. */
  readonly successorId: (entryId: string) => Promise<string>;
}

type Store = FollowEntriesDeps['store'];

async function recordsOf<Kind extends LocalRecordKind>(
  store: Pick<Store, 'listRecords'>,
  kind: Kind,
): Promise<readonly Extract<LocalRecord, { kind: Kind }>[]> {
  const isOfKind = (record: LocalRecord): record is Extract<LocalRecord, { kind: Kind }> =>
    record.kind === kind;
  return [...(await store.listRecords(kind)).values()].filter(isOfKind);
}

/** Whether a version of a deleted entry is kept, which needs the recording when its owner restores it. */
export async function hasKeptVersion(
  store: Pick<Store, 'listRecords'>,
  entryId: string,
): Promise<boolean> {
  const losers = await recordsOf(store, 'loser');
  return losers.some(({ reason, documentId }) => reason === 'deleted' && documentId === entryId);
}

async function findEntry(store: Pick<Store, 'get'>, id: string): Promise<LocalDocument | null> {
  return (await store.get('entries', [id])).get(id)?.document ?? null;
}

/**
 * Recordings go with their entries, before each pass.
 *
 * - One whose entry was written is to be sent, and one whose entry was moved to another dog goes there.
 * - One whose entry was deleted rests, and its file is named for removal. It goes to the entry that comes in its place:
 *   the deletion was taken back, or a kept version was restored.
 * - One whose entry is nowhere after everything was fetched is offered to its owner: that is no deletion.
 */
export async function followEntries(deps: FollowEntriesDeps): Promise<void> {
  const { outbox, store, clock, successorId } = deps;
  const { queue, voiceNotes } = outbox;
  const restored = await recordsOf(store, 'restored-entry');

  /** To be stored with what makes the job forget the name. */
  const namedFile = async (job: OutboxJob, id: string): Promise<Writes> => {
    const pet = (await store.get('pets', [job.petId])).get(job.petId)?.document;
    const isNever = isUntouched(job) && (pet?.seq ?? null) === null;
    if (isNever || isTold(job)) return {};
    const notBeforeMs = clock.now() + deletedEntryFileKeptMs;
    return { records: [removal({ collection: 'entries', id }, job.objectName, notBeforeMs)] };
  };

  /** @returns live entries that have come in the place of a deleted one. */
  const heirsOf = async (entryId: string): Promise<readonly LocalDocument[]> => {
    const restoredIds = restored.flatMap((record) =>
      record.documentId === entryId ? record.entryId : [],
    );
    const found = await store.get('entries', [await successorId(entryId), ...restoredIds]);
    return [...found.values()].flatMap(({ document }) => (document.deleted ? [] : document));
  };

  const goToHeirs = async (job: OutboxJob, entryId: string): Promise<void> => {
    const heirs = await heirsOf(entryId);
    const isKept = heirs.length > 0 && (await hasKeptVersion(store, entryId));
    for (const heir of heirs) {
      const isRestored = restored.some((record) => record.entryId === heir.id);
      // The job that stays for a kept version does not serve the same entry at each pass.
      if (isKept && !isRestored && fileOf(heir) !== null) continue;
      const isCopy = isKept || heir !== heirs.at(-1);
      const served: Writes = isRestored ? { records: [[restoredEntryId(heir.id), null]] } : {};
      await voiceNotes.rehome(job, { entryId: heir.id, petId: heir.petId ?? '', isCopy }, served);
    }
  };

  const followDeleted = async (job: OutboxJob, entryId: string): Promise<void> => {
    await goToHeirs(job, entryId);
    const left = await queue.get(job.id);
    if (left === null || isOfDeleted(left)) return;
    const isAtRest = left.stage === 'failed' || left.stage === 'recorded';
    const stage = isAtRest ? 'uploading' : left.stage;
    const mark = { stage, ...goneMark(clock.now()) };
    await queue.move(left, mark, await namedFile(left, entryId));
  };

  const followLive = async (job: OutboxJob, { id, petId }: LocalDocument): Promise<void> => {
    const isMoved = petId !== job.petId;
    if (isMoved || isOfDeleted(job)) {
      const left = isMoved ? await namedFile(job, id) : {};
      await voiceNotes.rehome(job, { entryId: id, petId: petId ?? '' }, left);
    } else if (job.stage === 'recorded') {
      await queue.move(job, { stage: isUntouched(job) ? 'queued' : 'uploading' });
    }
  };

  const followNone = async (job: OutboxJob): Promise<void> => {
    const checkpoint = await store.readRecord(checkpointId);
    const isFetched = checkpoint?.kind === 'checkpoint' && checkpoint.complete;
    if (isFetched && job.stage !== 'recorded') await voiceNotes.offer(job);
  };

  for (const job of await queue.list()) {
    if (job.kind !== 'voice-note' || job.entryId === null) continue;
    const entry = await findEntry(store, job.entryId);
    if (entry === null) await followNone(job);
    else if (entry.deleted) await followDeleted(job, entry.id);
    else await followLive(job, entry);
  }
  for (const { documentId, entryId } of restored) {
    const isOpen = (await queue.get(voiceNoteJobId(documentId))) !== null;
    if (!isOpen) await writeRecord(store, restoredEntryId(entryId), null);
  }
}
