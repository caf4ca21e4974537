import { useMemo } from 'react';
import { isParked, pictureJobId, type OutboxJob } from '../../../../schemas/local/outbox-job.ts';
import { commandErrorCopy } from '../../../data/commands/commands.ts';
import type { Files } from '../../../data/files/files.ts';
import { useData } from '../../../data/data-context.ts';
import { liveInside } from '../../../lib/async/lazy-service.ts';
import { useLive } from '../../../lib/async/live.ts';
import { useIsOnline } from '../../../platform/connection.ts';
import { useAction } from '../../../lib/react/use-action.ts';
import { AskingButton, Button } from '../../../ui/button.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { parkedFileReason, waitingFileNote } from '../../../data/files/file-copy.ts';
import { keepFocus } from '../../../lib/dom/keep-focus.ts';

/** The upload state of this dog's picture; nothing once the server has it. */
export function PictureState({ petId }: { readonly petId: string }) {
  const { files } = useData();
  const jobs = useLive(useMemo(() => liveInside(files, (opened) => opened.jobs()), [files]));
  const isOnline = useIsOnline();
  const job = jobs?.find(({ id }) => id === pictureJobId(petId));
  if (job === undefined) return null;
  if (isParked(job)) return <ParkedPicture job={job} />;
  return (
    <p role="status" className="text-center text-ink-soft">
      {waitingFileNote(job, isOnline)}
    </p>
  );
}

function ParkedPicture({ job: { id, code } }: { readonly job: OutboxJob }) {
  const { files } = useData();
  const { problem, run, isBusy } = useAction(commandErrorCopy);
  const act = (work: (opened: Files) => Promise<void>): void => {
    if (!isBusy(id)) run(async () => work(await files.load()), id);
  };
  return (
    <div ref={keepFocus} className="flex flex-col gap-3">
      <ProblemNote>{problem ?? parkedFileReason(code)}</ProblemNote>
      <div className="flex flex-wrap justify-center gap-3">
        <Button aria-disabled={isBusy(id)} onClick={() => act((opened) => opened.retryFile(id))}>
          Retry
        </Button>
        <AskingButton
          label="Discard"
          kind="quiet-danger"
          aria-disabled={isBusy(id)}
          onConfirm={() => act((opened) => opened.discardFile(id))}
        />
      </div>
    </div>
  );
}
