import { placeFileJobId, type PlaceFileJob } from '../../schemas/local/local-record.ts';
import { pictureJobId, type OutboxJob } from '../../schemas/local/outbox-job.ts';
import { isChosenLater, unplacedPicture } from '../../schemas/local/place-file.ts';
import { fileOf } from '../../schemas/local/remove-file.ts';
import { backoffDelayMs, earliest, isOver } from '../connectivity/backoff.ts';
import { together, type Writes } from '../../store/document-store.ts';
import { findPlacedPicture } from '../../store/files/placed-picture.ts';
import { decidePlacement, isLookedFor, type PlacementDecision } from './decide.ts';
import { eachAlone } from './failure.ts';
import type { FilesContext, PassOptions } from './files-context.ts';
import { readLedger, type Ledger } from './ledger.ts';
import { versionRecords } from './picture-versions.ts';

interface Placement extends Extract<PlacementDecision, { kind: 'place' }> {
  readonly record: PlaceFileJob;
  readonly ledger: Ledger;
  readonly signal: AbortSignal;
}

/** Returns the end of that placement; it fails if another file is to be placed by now. */
function placed(record: PlaceFileJob): Writes {
  return { records: [[placeFileJobId(record.documentId), null, record]] };
}

async function bytesOf(
  { outbox: { queue } }: FilesContext,
  job: OutboxJob | undefined,
): Promise<ArrayBuffer | null> {
  return job === undefined ? null : queue.readBytes(job);
}

/**
 * `missing`: neither this device nor the server has it. `needless`: the document has a file already or gets a later one,
 * or there never was one.
 */
type PlaceOutcome = 'placed' | 'missing' | 'needless';

/** Returns the version of a picture of this pet that is still on its way; it is replaced by the one to place. */
function keepReplaced({ document: pet, ledger }: Placement, job: OutboxJob | null): Writes {
  if (job === null) return {};
  const { objectName, md5, createdAtMs: stampMs } = job;
  const version = { objectName, md5, stampMs, side: 'local' } as const;
  return { records: versionRecords(ledger, pet, version) };
}

async function placePicture(deps: FilesContext, placement: Placement): Promise<PlaceOutcome> {
  const { record, document: pet, left, signal } = placement;
  const { outbox, store } = deps;
  const { caches } = outbox;
  const download = (objectName: string) => deps.files.download(objectName, signal);
  // A picture that was still waiting for the previous pet is newer than the one its document refers to.
  const own = await bytesOf(deps, left);
  const isTaken = left !== undefined && own !== null;
  const found = isTaken
    ? { bytes: own, contentType: left.contentType }
    : await findPlacedPicture({ caches, download }, record, pet.id);
  if (found === null) return 'missing';
  const ended = left === undefined ? {} : { jobs: [{ from: left, to: null }] };
  const picture = { petId: pet.id, ...found, chosenAtMs: record.chosenAtMs };
  const waiting = await outbox.queue.get(pictureJobId(pet.id));
  // The owner may have chosen it during the download.
  if (waiting !== null && isChosenLater(waiting, record)) return 'needless';
  const replaced = keepReplaced(placement, waiting);
  // If the record or one of the jobs has changed meanwhile, the next pass plans anew.
  await store.commit(
    together(outbox.planPicture(picture, waiting), placed(record), ended, replaced),
  );
  return 'placed';
}

async function placeRecording(deps: FilesContext, placement: Placement): Promise<PlaceOutcome> {
  const { record, document: entry, left, isCopy, signal } = placement;
  const { caches, voiceNotes } = deps.outbox;
  const { objectName } = record;
  const home = { entryId: entry.id, petId: entry.petId ?? '' };
  const isHere = left?.petId === home.petId || (await bytesOf(deps, left)) !== null;
  if (left !== undefined && isHere) {
    await voiceNotes.rehome(left, { ...home, isCopy }, placed(record));
    return 'placed';
  }
  if (objectName === null || fileOf(entry) !== null) return 'needless';
  const cached = await caches.recording(objectName);
  const found = cached ?? (await deps.files.download(objectName, signal));
  if (found === null) return 'missing';
  const known = entry.fields['contentType'];
  const contentType = typeof known === 'string' ? known : found.contentType;
  const audio = { ...home, objectName, contentType };
  await voiceNotes.sendAgain(audio, found.bytes, placed(record));
  return 'placed';
}

/** @returns whether the file is missing and may be found later. */
async function place(
  deps: FilesContext,
  record: PlaceFileJob,
  signal: AbortSignal,
): Promise<boolean> {
  const ledger = await readLedger(deps);
  const decision = decidePlacement(record, ledger);
  if (decision.kind === 'wait') return false;
  const attempt = record.collection === 'pets' ? placePicture : placeRecording;
  const outcome =
    decision.kind === 'place'
      ? await attempt(deps, { ...decision, record, ledger, signal })
      : 'needless';
  if (outcome === 'missing' && isLookedFor(record, ledger)) return true;
  if (outcome === 'placed') return false;
  // The dog has a picture that was chosen later, or is gone.
  const isReplaced = ledger.documents.pets.get(record.documentId)?.deleted === false;
  const kept =
    outcome === 'needless' && isReplaced ? unplacedPicture(record, ledger.correctedMs) : [];
  await deps.store.commit(together({ records: kept }, placed(record)));
  return false;
}

/**
 * Attaches a file to each document that was restored or moved: from the job of the previous document, a conflict
 * version or a cache of this device, else from the server. The commit that creates the upload job also removes the
 * record. See O8 in replication/SPEC.md.
 *
 * A file that is unavailable now, or for which there is no room, is retried with backoff, and blocks no other file.
 */
export function createFilePlacements(deps: FilesContext) {
  const { store, clock, online, log } = deps;
  /** The files that could not be attached in this session, by the ids of their records. */
  const postponed = new Map<string, { readonly failures: number; readonly untilMs: number }>();

  const postpone = (id: string): void => {
    if (!online.isOnline()) return;
    const failures = (postponed.get(id)?.failures ?? 0) + 1;
    postponed.set(id, { failures, untilMs: clock.now() + backoffDelayMs(failures, deps.random) });
  };

  return {
    /** @returns epoch milliseconds of the next scheduled attempt; null if there is none. */
    run: async ({ isUrgent, signal }: PassOptions): Promise<number | null> => {
      const records = [...(await store.listRecords('place-file'))];
      const isDue = (id: string) =>
        isUrgent || isOver(postponed.get(id)?.untilMs ?? 0, clock.now());
      const due = records.filter(([id]) => isDue(id));
      const attempt = async ([id, record]: (typeof due)[number]): Promise<void> => {
        if (signal.aborted) return;
        if (await place(deps, record, signal)) postpone(id);
        else postponed.delete(id);
      };
      await eachAlone(due, attempt, (code, [id]) => {
        if (signal.aborted) return;
        log('file-not-placed', { code });
        postpone(id);
      });
      if (!online.isOnline()) return null;
      return earliest(records.map(([id]) => postponed.get(id)?.untilMs ?? null));
    },
  };
}
