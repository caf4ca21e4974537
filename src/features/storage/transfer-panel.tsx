import type { TransferProgress } from '../../data/transfers.ts';
import { Button } from '../../ui/button.tsx';
import { Modal } from '../../ui/modal.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import {
  exportedText,
  importedText,
  previewSentences,
  progressText,
  stoppedText,
} from './transfer-words.ts';
import { saveExport, type TransferKind, type TransferService } from './transfer-state.ts';
import { useTransfer } from './use-transfer.ts';

interface RunningProps {
  readonly kind: TransferKind;
  readonly progress: TransferProgress | null;
  readonly onStop: () => void;
}

function Running({ kind, progress, onStop }: RunningProps) {
  const { done, total } = progress ?? { done: 0, total: 0 };
  const part = total === 0 ? 0 : done / total;
  const title = kind === 'export' ? 'Exporting' : 'Importing';
  return (
    <>
      <div className="flex items-baseline justify-between gap-3">
        <p className="font-semibold">{title}</p>
        <p className="text-ink-soft tabular-nums">{progressText(progress)}</p>
      </div>
      <div
        role="progressbar"
        aria-label={title}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(part * 100)}
        className="h-2 overflow-hidden rounded-full bg-line"
      >
        <div className="h-full rounded-full bg-moss" style={{ width: `${String(part * 100)}%` }} />
      </div>
      <p className="text-ink-soft">You can go on using PawPals. Closing it stops this.</p>
      <Button className="justify-self-start" onClick={onStop}>
        Stop
      </Button>
    </>
  );
}

function AskToImport({
  sentences,
  service,
}: {
  readonly sentences: readonly string[];
  readonly service: TransferService;
}) {
  return (
    <Modal title="Import this file?" placement="centre" role="alertdialog" onClose={service.cancel}>
      <div className="mt-3 grid grid-cols-1 gap-3">
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button onClick={service.cancel}>Cancel</Button>
        <Button kind="primary" onClick={service.startImport}>
          Import
        </Button>
      </div>
    </Modal>
  );
}

/** It appears below what was pressed, perhaps beyond the end of the screen. */
function showWhole(panel: HTMLElement | null): void {
  panel?.scrollIntoView({ block: 'nearest' });
}

/** How far the export or import is, or what has come of it. @param onGone its buttons go: the focus needs a place. */
export function TransferPanel({ onGone }: { readonly onGone: () => void }) {
  const { state, service } = useTransfer();
  const leave = (work: () => void) => (): void => {
    work();
    onGone();
  };
  const done = <Button onClick={leave(service.dismiss)}>Close</Button>;
  if (state.step === 'idle') return null;
  if (state.step === 'asking') {
    return <AskToImport sentences={previewSentences(state.preview)} service={service} />;
  }
  return (
    <div
      key={state.step}
      ref={showWhole}
      className="grid grid-cols-1 gap-3 rounded-card bg-card px-4 py-4"
    >
      {state.step === 'running' && <Running {...state} onStop={leave(service.cancel)} />}
      {state.step === 'exported' && (
        <>
          <p>{exportedText(state.result)}</p>
          <div className="flex flex-wrap gap-3">
            <Button kind="primary" onClick={() => saveExport(state.result)}>
              Download
            </Button>
            {done}
          </div>
        </>
      )}
      {state.step === 'imported' && (
        <>
          <p>{importedText(state.result)}</p>
          <div>{done}</div>
        </>
      )}
      {state.step === 'stopped' && (
        <>
          <p>{stoppedText(state.kind)}</p>
          <div>{done}</div>
        </>
      )}
      {state.step === 'failed' && (
        <>
          <ProblemNote>{state.sentence}</ProblemNote>
          <div>{done}</div>
        </>
      )}
    </div>
  );
}
