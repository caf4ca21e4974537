import { useEffect, useMemo, useRef } from 'react';
import { noTextSentence } from '../../../../schemas/copy/entry-copy.ts';
import type { Entry } from '../../../../schemas/documents/document.ts';
import { useData } from '../../../data/data-context.ts';
import { liveInside } from '../../../lib/async/lazy-service.ts';
import { useLive } from '../../../lib/async/live.ts';
import { useIsOnline } from '../../../platform/connection.ts';
import { Player } from './player.tsx';
import { waitingCopy } from './waiting-copy.ts';

export interface EntryPlayerProps {
  readonly entry: Entry;
  /** On the page of the note: whether the entry is deleted. */
  readonly isDeleted?: boolean | undefined;
}

/** The player of a voice note, with the reason for a missing recording or transcript. */
export function EntryPlayer({ entry, isDeleted }: EntryPlayerProps) {
  const { files, queries } = useData();
  const {
    id,
    petId,
    fields: { fileLocation, durationMs, waveform, transcript },
  } = entry;
  const source = useMemo(() => queries.entry(petId, id), [queries, petId, id]);
  const playable = {
    id,
    title: 'Voice note',
    durationMs,
    waveform,
    open: async () => (await files.load()).voice.open(entry),
    source,
  };
  // A text can be asked for again on the page. A journal reads no jobs of notes that have all they need.
  const mayWait = isDeleted !== undefined || fileLocation === undefined || transcript === 'waiting';
  return (
    <>
      <Player playable={playable} />
      {mayWait && <Waiting entry={entry} isDeleted={isDeleted} />}
    </>
  );
}

/** After this time the device that waited for a transcript may have lost its job, by a sign-out or an eviction. */
const lostAfterMs = 3_600_000;

/** Returns since when a transcript is awaited, in epoch milliseconds. */
function awaitedSinceMs({ edits, fields: { createdDate } }: Entry): number {
  return Math.max(edits['fileLocation'] ?? createdDate ?? 0, edits['transcript'] ?? 0);
}

/** Says why a voice note waits. If nobody may be waiting for its transcript any more, this device requests it. */
function Waiting({ entry, isDeleted }: EntryPlayerProps) {
  const { files, correctedNow } = useData();
  const {
    id,
    fields: { fileLocation, transcript },
  } = entry;
  const hasFile = fileLocation !== undefined;
  const hasAsked = useRef(false);
  const isOnline = useIsOnline();
  const work = useLive(
    useMemo(() => liveInside(files, (opened) => opened.voice.work(id)), [files, id]),
  );
  const hasNoJob = work?.job === null && hasFile && transcript === 'waiting' && !isDeleted;
  useEffect(() => {
    const isLost = hasNoJob && correctedNow() - awaitedSinceMs(entry) > lostAfterMs;
    if (!isLost || hasAsked.current) return;
    hasAsked.current = true;
    files
      .load()
      .then(({ voice }) => voice.requestText(entry))
      .catch(() => undefined);
  }, [hasNoJob, correctedNow, entry, files]);
  if (work === undefined || work === null) return null;
  const { job } = work;
  const isAwaited = !hasFile || transcript === 'waiting';
  // The owner has asked for another transcript of this text, which stays until that arrives.
  const isAgain = job?.stage !== 'done' && job?.replacesStamp === (entry.edits['text'] ?? 0);
  if (!isAwaited && !isAgain) return null;
  // An awaited entry without a text says so in its place.
  const inProgress = isAwaited || job?.code ? null : noTextSentence();
  const words = waitingCopy({ job, hasFile, isOnline }) ?? inProgress;
  return words !== null && <p className="mb-1 text-base text-ink-soft">{words}</p>;
}
