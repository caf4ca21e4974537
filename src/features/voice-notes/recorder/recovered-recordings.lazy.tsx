import { useMemo } from 'react';
import type { OutboxJob } from '../../../../schemas/local/outbox-job.ts';
import { commandErrorCopy } from '../../../data/commands/commands.ts';
import { voiceSentences } from '../../../data/files/voice-copy.ts';
import { useData } from '../../../data/data-context.ts';
import { tellSaved } from '../../../data/transfer/save-export.ts';
import { liveInside } from '../../../lib/async/lazy-service.ts';
import { readDraft, writeDraft } from '../../../lib/draft.ts';
import { exactTimeText } from '../../../lib/dates/entry-time-text.ts';
import { focusHeading, focusOn } from '../../../lib/dom/focus-heading.ts';
import { useLive } from '../../../lib/async/live.ts';
import { useAction, type Action } from '../../../lib/react/use-action.ts';
import { useLeaveFocus } from '../../../lib/react/use-leave-focus.ts';
import { saveFile } from '../../../platform/save-file.ts';
import { useToasts } from '../../../platform/toasts.ts';
import { AskingButton, Button } from '../../../ui/button.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { Player } from '../player/player.tsx';
import { recordingDraft } from './draft-recording.ts';

/** Offers each interrupted recording, as after a crash, until its owner keeps or discards it. */
export function RecoveredRecordings() {
  const { files, queries } = useData();
  const jobs = useLive(
    useMemo(() => liveInside(files, (opened) => opened.voice.recovered()), [files]),
  );
  const pets = useLive(useMemo(() => queries.pets(), [queries]));
  const action = useAction(commandErrorCopy);
  if (!jobs || jobs.length === 0 || pets === undefined) return null;
  return (
    <section
      aria-label="Recovered recordings"
      className="page-column flex max-h-[45dvh] flex-none flex-col gap-2 overflow-y-auto py-2 low:py-1"
    >
      {jobs.map((job) => (
        <Recovered
          key={job.id}
          job={job}
          petName={pets.find(({ id }) => id === job.petId)?.fields.name ?? null}
          action={action}
        />
      ))}
    </section>
  );
}

interface RecoveredProps {
  readonly job: OutboxJob;
  /** The name of the dog; null if it is deleted. */
  readonly petName: string | null;
  readonly action: Action;
}

/** Focuses the recording beside one that goes, or the heading after the last. */
function focusBeside({ nextElementSibling, previousElementSibling }: HTMLElement): void {
  const beside = nextElementSibling ?? previousElementSibling;
  if (beside instanceof HTMLElement) focusOn(beside);
  else focusHeading();
}

function Recovered({ job, petName, action }: RecoveredProps) {
  const { uid, files } = useData();
  const toasts = useToasts();
  const { id, entryId, petId, durationMs = 0, objectName, heard, createdAtMs } = job;
  const recordingId = entryId ?? '';
  const draft = recordingDraft({ owner: uid, name: petId }, recordingId);
  const seconds = Math.max(1, Math.round(durationMs / 1_000));
  const title = `Recovered recording, ${String(seconds)} s`;
  const time = exactTimeText(createdAtMs);
  /** Tells the buttons of several recordings apart. */
  const about = (
    <>
      {' '}
      <span className="sr-only">{`recording, ${String(seconds)} s, ${time}`}</span>
    </>
  );
  const open = async () => (await files.load()).readFile(id);
  /** Returns what its owner has written in the box with it; null for nothing, or its transcript. */
  const ownText = (): string | null => {
    const text = readDraft(draft).trim();
    return text === '' || text === heard?.text ? null : text;
  };

  const keep = async (): Promise<void> => {
    const text = ownText();
    const words = text === null ? undefined : ({ text, transcript: 'edited' } as const);
    await (await files.load()).voice.keep(recordingId, words);
    writeDraft(draft, '');
    toasts.show({ message: `Kept in the journal of ${petName ?? ''}.`, variant: 'success' });
  };
  const save = async () => {
    const { bytes, contentType } = await open();
    const name = objectName.split('/').at(-1) ?? 'voice-note';
    return tellSaved(saveFile(new File([bytes], name, { type: contentType })));
  };
  const discard = async (): Promise<void> => {
    await (await files.load()).voice.discard(recordingId);
    // A text of the owner's own stays a draft: the composer shows it when the journal is opened next.
    if (ownText() === null) writeDraft(draft, '');
    toasts.show({ message: voiceSentences.discarded });
  };

  return (
    <div
      ref={useLeaveFocus(focusBeside)}
      role="group"
      aria-label={`${title}, ${time}`}
      className="flex-wrap items-center justify-between gap-x-4 rounded-card bg-heather-soft px-4 py-3 low:flex low:py-2"
    >
      <div className="min-w-0">
        <p className="font-semibold">{title}</p>
        <p dir="auto" className="text-ink-soft wrap-anywhere">
          <bdi>{petName ?? 'Its dog is not here any more'}</bdi>
          {` · ${time}`}
        </p>
      </div>
      {/* On a low screen the buttons stand beside the title. */}
      <div className="low:order-last low:w-full">
        <Player playable={{ id, title: 'Recovered recording', durationMs, open }} />
      </div>
      <div className="mt-3 flex flex-wrap gap-2 low:mt-0">
        {petName === null ? (
          <Button onClick={() => action.run(save, id)}>Save to a file</Button>
        ) : (
          <Button kind="primary" onClick={() => action.run(keep, id)}>
            Keep
            {about}
          </Button>
        )}
        <AskingButton label="Discard" onConfirm={() => action.run(discard, id)}>
          {about}
        </AskingButton>
      </div>
      <p role="status" className="text-ink-soft empty:sr-only">
        {action.itemId === id && action.done}
      </p>
      {action.itemId === id && action.problem !== null && (
        <ProblemNote>{action.problem}</ProblemNote>
      )}
    </div>
  );
}
