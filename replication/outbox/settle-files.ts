import { pictureVersionOf, type FileBytes } from '../../schemas/local/file-bytes.ts';
import { versionRecord } from '../../schemas/local/conflict-version.ts';
import { filesHistoryId, type ConflictVersion } from '../../schemas/local/local-record.ts';
import {
  isAtRest,
  isTold,
  isUntouched,
  pictureJobId,
  pictureStamp,
  pictureType,
  type OutboxJob,
} from '../../schemas/local/outbox-job.ts';
import type { LocalDocument } from '../../schemas/documents/document.ts';
import { withoutFile } from '../../schemas/local/place-file.ts';
import { deletedEntryFileKeptMs, fileOf, removal } from '../../schemas/local/remove-file.ts';
import { commitPlanned, writeRecord } from '../../store/change-documents.ts';
import { together, type RecordWrite, type Writes } from '../../store/document-store.ts';
import type { Outbox } from '../../store/files/outbox.ts';
import { goneMark, type NewHome } from '../../store/files/voice-note-files.ts';
import { cachedPicturesPet, decideCached, decideJob } from './decide.ts';
import { eachAlone } from './failure.ts';
import type { FilesContext } from './files-context.ts';
import { readLedger, type Ledger } from './ledger.ts';
import { versionRecords } from './picture-versions.ts';

/** Takes the steps one by one; see {@link eachAlone}. */
function settleEach<Item>(
  { log }: FilesContext,
  items: Iterable<Item>,
  step: (item: Item) => Promise<void>,
): Promise<boolean> {
  return eachAlone(items, step, (code) => log('file-not-settled', { code }));
}

/** Returns the removal of a file that may have been uploaded to the old place of a recording, unknown to its entry. */
function namedFile({ documents, nowMs }: Ledger, job: OutboxJob): Writes {
  const isNever = isUntouched(job) && (documents.pets.get(job.petId)?.seq ?? null) === null;
  if (isNever || isTold(job)) return {};
  const holder = { collection: 'entries', id: job.entryId ?? '' } as const;
  return { records: [removal(holder, job.objectName, nowMs + deletedEntryFileKeptMs)] };
}

/** Returns what a recording leaves behind when it is handed over. */
function handedOver(ledger: Ledger, job: OutboxJob, { entryId, petId, isCopy }: NewHome): Writes {
  if (isCopy === true) return { jobs: [{ from: job, to: { ...job, handedTo: entryId } }] };
  return petId === job.petId ? {} : namedFile(ledger, job);
}

/** Turns a picture that was not uploaded, or is not shown any more, into a conflict version. */
async function keep(
  { queue }: Pick<Outbox, 'queue'>,
  ledger: Ledger,
  { job, pet }: { readonly job: OutboxJob; readonly pet: LocalDocument },
): Promise<void> {
  const { objectName, md5, createdAtMs: stampMs } = job;
  const records = versionRecords(ledger, pet, { objectName, md5, stampMs, side: 'local' });
  const isLeft = fileOf(pet) !== objectName;
  const removals = isLeft ? [removal(pet, objectName)] : [];
  await queue.end(job, { records: [...records, ...removals] });
}

async function letGo(
  { queue, dropPicture }: Pick<Outbox, 'queue' | 'dropPicture'>,
  { documents }: Ledger,
  job: OutboxJob,
): Promise<void> {
  if (job.kind === 'voice-note') {
    // The removal of its file was stored when its entry was seen to be deleted.
    await queue.discard(job);
    return;
  }
  // This picture, or one that it replaced, may have been uploaded without its pet referring to it.
  const pet = documents.pets.get(job.petId);
  const isKnown = pet !== undefined && pet.seq !== null;
  await dropPicture(job, isKnown ? { records: [removal(pet, job.objectName)] } : {});
}

async function settleJob(deps: FilesContext, ledger: Ledger, job: OutboxJob): Promise<void> {
  const { outbox } = deps;
  const { queue, voiceNotes } = outbox;
  const decision = decideJob(job, ledger);
  switch (decision.kind) {
    case 'begin':
      await queue.move(job, { stage: isUntouched(job) ? 'queued' : 'uploading' });
      break;
    case 'offer':
      await voiceNotes.offer(job);
      break;
    case 'mark': {
      const stage = isAtRest(job) ? 'uploading' : job.stage;
      const changes = { stage, ...goneMark(ledger.nowMs) };
      const marked = await queue.move(job, changes, namedFile(ledger, job));
      if (marked !== null) await settleJob(deps, ledger, marked);
      break;
    }
    case 'hand-over': {
      const { home } = decision;
      await voiceNotes.rehome(job, home, handedOver(ledger, job, home));
      break;
    }
    case 'keep':
      await keep(outbox, ledger, { job, pet: decision.pet });
      break;
    case 'let-go':
      await letGo(outbox, ledger, job);
      break;
    default:
  }
}

/**
 * Creates a job for the picture that a pet shows, if these are its bytes and no picture waits. Its upload ends at once if
 * the server has it.
 */
async function sendShown(
  { outbox, store }: FilesContext,
  [pet, kept]: readonly [LocalDocument, FileBytes | null],
  also: Writes = {},
): Promise<void> {
  if (kept === null || kept.md5 !== pet.fields['profilePictureVersion']) return;
  const chosen = { contentType: pictureType(fileOf(pet)), chosenAtMs: pictureStamp(pet.edits) };
  await commitPlanned(store, async () => {
    const waiting = await outbox.queue.get(pictureJobId(pet.id));
    // The picture that waits is to overwrite this one, which its owner may not have seen (O7.2).
    if (waiting !== null) return null;
    const picture = { petId: pet.id, bytes: kept.bytes, ...chosen };
    return together(outbox.planPicture(picture, null), also);
  });
}

/** Creates jobs for cached files that need an upload again. @returns the ledger after that. */
async function settleCached(deps: FilesContext): Promise<Ledger> {
  const { outbox, store } = deps;
  const ledger = await readLedger(deps);
  const { epoch, comparedEpoch, nowMs } = ledger;
  let isChanged = false;
  const areHeard = await settleEach(deps, ledger.recordings, async (recording) => {
    const decision = decideCached(recording, ledger);
    if (decision === 'keep') return;
    isChanged = true;
    await outbox.voiceNotes.requeue(recording, decision === 'rest' ? goneMark(nowMs) : {});
  });
  const areSeen = await settleEach(deps, ledger.pictures, async (picture) => {
    const pet = cachedPicturesPet(picture, ledger);
    if (pet === null) return;
    isChanged = true;
    await sendShown(deps, [pet, await outbox.caches.picture(pet.id)]);
  });
  if (areHeard && areSeen && epoch !== null && epoch !== comparedEpoch) {
    await writeRecord(store, filesHistoryId, { kind: 'files-history', epoch });
  }
  return isChanged ? readLedger(deps) : ledger;
}

/** Returns the record of a conflict version without its picture; none if it has nothing else. */
function restOf(version: ConflictVersion): readonly RecordWrite[] {
  const fields = withoutFile(version.fields);
  if (Object.keys(fields).length === 0) return [];
  return [versionRecord({ ...version, fields, edits: withoutFile(version.edits) })];
}

/** Removes the picture of a conflict version that its pet shows after all, by an edit later than the version. */
async function settleVersions(deps: FilesContext, ledger: Ledger): Promise<void> {
  await settleEach(deps, ledger.versions, async ([id, version]) => {
    const picture = pictureVersionOf(version);
    const pet = picture && ledger.documents.pets.get(picture.petId);
    if (!pet || pet.fields['profilePictureVersion'] !== picture.md5) return;
    const bytes = await deps.outbox.caches.version(picture);
    const records = [[id, null] as const, ...restOf(version)];
    await sendShown(deps, [pet, bytes], { records });
  });
}

/** Carries out the decisions that need no server. Each step is one idempotent commit. */
export async function settleFiles(deps: FilesContext): Promise<void> {
  const ledger = await settleCached(deps);
  await settleEach(deps, ledger.jobs, (job) => settleJob(deps, ledger, job));
  await settleVersions(deps, ledger);
}
