import type { createStore } from 'jotai';
import type { Data } from '../../data/data-context.ts';
import type { SyncOverview } from '../../data/queries/queries.ts';
import { listText } from '../../lib/text/count-text.ts';
import { firstValue } from '../../lib/async/first-value.ts';
import type { Live } from '../../lib/async/live.ts';
import type { Toasts } from '../../platform/toasts.ts';
import {
  readDeviceMarker,
  writeDeviceMarker,
  type UnsentIds,
} from '../../platform/storage/device-marker.ts';
import { syncActivityAtom, type SyncActivity } from '../../platform/auth/session.ts';
import { toastsOf } from '../../platform/toasts.ts';

export interface EvictedDataDeps {
  readonly data: Data;
  readonly toasts: Pick<Toasts, 'show'>;
  /** Whether the first complete fetch had finished when the databases were opened. */
  readonly wasFetched: boolean;
  readonly activity: Live<SyncActivity>;
  /** Aborts when the session ends. */
  readonly ended: AbortSignal;
}

const toastId = 'evicted-data';
const starting: SyncActivity = { phase: 'starting', problem: null };
const gone = 'What was stored on this device is gone. The browser may have cleared it.';
const fetching = 'Fetching your journal again…';

/** Tells how the data comes back. The sign-in may have been evicted as well. */
function nextStep({ phase, problem }: SyncActivity): string {
  if (problem === 'unauthenticated') return 'Sign in again, and your journal is fetched.';
  if (phase === 'offline') return 'Your journal is fetched again with the next connection.';
  return fetching;
}

function isNew({ seq, deleted }: { readonly seq: number | null; readonly deleted: boolean }) {
  return seq === null && !deleted;
}

/**
 * The ids of the unsent new documents that the overview lists. More ids are not worth their space in a small storage.
 */
function unsentIdsOf(overview: SyncOverview): UnsentIds {
  const entries = [...overview.waitingEntries, ...overview.parkedEntries].filter(isNew);
  const pets = [...overview.waitingPets, ...overview.parkedPets].filter(isNew);
  const spoken = (overview.files ?? []).filter(({ entryId }) => entryId !== null);
  const { waitingCount, parkedCount, recordingCount, leavingCount, hiddenCount } = overview;
  const listedCount = entries.length + pets.length + recordingCount;
  return {
    hasMore: waitingCount + parkedCount + leavingCount + hiddenCount > listedCount,
    entries: entries.map(({ petId, id }) => [petId, id] as const),
    recordings: spoken.map(({ petId, entryId }) => [petId, entryId ?? ''] as const),
    pets: pets.map(({ id }) => id),
  };
}

/**
 * Returns the sentence that counts the unsent documents that the server does not have either, and the one about other
 * changes; '' if there was nothing to lose.
 */
async function lostCopy({ queries }: Data, unsent: UnsentIds): Promise<string> {
  const entryOf = ([petId, id]: readonly [string, string]) => firstValue(queries.entry(petId, id));
  const entries = await Promise.all(unsent.entries.map(entryOf));
  const spoken = await Promise.all(unsent.recordings.map(entryOf));
  const pets = await Promise.all(unsent.pets.map((id) => firstValue(queries.pet(id))));
  const notes = entries.filter((entry) => entry === null).length;
  const recordings = spoken.filter((entry) => entry !== null && !entry.fields.fileLocation).length;
  const gonePets = pets.filter((pet) => pet === null).length;
  const lost = listText([
    [gonePets, 'dog'],
    [notes, 'note'],
    [recordings, 'recording'],
  ]);
  const more = unsent.hasMore ? ' Changes that had not been sent may be lost.' : '';
  if (lost === '') return more;
  const isOne = gonePets + notes + recordings === 1;
  return ` ${lost} that had not been sent ${isOne ? 'is' : 'are'} lost.${more}`;
}

/**
 * Detects that the databases of a signed-in owner were evicted since the last visit, and shows a toast at once, and
 * again only when the next step is another. A last toast replaces it after the next complete fetch, and counts the data
 * that the server did not have.
 */
export async function watchEvictedData(deps: EvictedDataDeps): Promise<void> {
  const { data, toasts, wasFetched, activity, ended } = deps;
  const { uid, queries } = data;
  const before = wasFetched ? null : readDeviceMarker(uid);
  if (before !== null) {
    let told = '';
    const tell = (): void => {
      const step = nextStep(activity.getSnapshot() ?? starting);
      // Each retry fetches for a moment. A toast that the owner has dismissed would return with it.
      if (step === told || (step === fetching && told !== '')) return;
      told = step;
      const message = `${gone} ${step}`;
      toasts.show({ id: toastId, message, variant: 'warning', durationMs: 0 });
    };
    const stopTelling = activity.subscribe(tell);
    ended.addEventListener('abort', stopTelling);
    tell();
    await firstValue(queries.fetchedOnce(), (isFetched) => isFetched);
    stopTelling();
    const lost = await lostCopy(data, before);
    if (ended.aborted) return;
    const message = `Your journal is back.${lost}`;
    // A loss stays until it is read.
    if (lost === '') toasts.show({ id: toastId, message, variant: 'success' });
    else toasts.show({ id: toastId, message, variant: 'warning', durationMs: 0 });
  }
  follow(deps);
}

/** Keeps the device marker up to date from the first complete fetch on; before it, nothing can be missing. */
function follow({ data, ended }: EvictedDataDeps): void {
  const overview = data.queries.syncOverview();
  let written = '';
  const note = (): void => {
    const current = overview.getSnapshot();
    if (ended.aborted || current?.fetchedOnce !== true) return;
    const unsent = unsentIdsOf(current);
    const text = JSON.stringify(unsent);
    if (text !== written) writeDeviceMarker(data.uid, unsent);
    written = text;
  };
  const stop = overview.subscribe(note);
  ended.addEventListener('abort', stop);
  note();
}

/** Runs {@link watchEvictedData} with the toasts and the sync status of the app whose state is in that store. */
export function reportEvictedData(
  store: ReturnType<typeof createStore>,
  found: Pick<EvictedDataDeps, 'data' | 'wasFetched' | 'ended'>,
): Promise<void> {
  const activity: Live<SyncActivity> = {
    getSnapshot: () => store.get(syncActivityAtom),
    subscribe: (onChange) => store.sub(syncActivityAtom, onChange),
  };
  return watchEvictedData({ ...found, toasts: toastsOf(store), activity });
}
