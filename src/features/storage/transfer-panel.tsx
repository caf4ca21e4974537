import { useEffect } from 'react';
import { useData } from '../../data/data-context.ts';
import { exportedText } from '../../data/transfer/save-export.ts';
import type { TransferProgress } from '../../data/transfer/transfers.ts';
import { Button } from '../../ui/button.tsx';
import { Modal } from '../../ui/modal.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import {
  importedText,
  isHandedOver,
  previewSentences,
  progressText,
  saveLabel,
  stoppedText,
} from './transfer-copy.ts';
import type { TransferKind, TransferState } from './transfer-atom.ts';
import type { TransferService } from './transfer-state.ts';
import { useTransfer } from './use-transfer.ts';
import { keepFocus } from '../../lib/dom/keep-focus.ts';

interface RunningProps {
  readonly kind: TransferKind;
  readonly progress: TransferProgress | null;
  readonly writtenPart: number;
  readonly onStop: () => void;
}

function Running({ kind, progress, writtenPart, onStop }: RunningProps) {
  const { done, total } = progress ?? { done: 0, total: 0 };
  const part = total === 0 ? writtenPart : done / total;
  const title = kind === 'export' ? 'Exporting' : 'Importing';
  return (
    <>
      <div className="flex items-baseline justify-between gap-3">
        <p className="font-semibold">{title}</p>
        <p className="text-ink-soft tabular-nums">{progressText(progress, writtenPart)}</p>
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
      <Button ref={keepFocus} className="justify-self-start" onClick={onStop}>
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
  const data = useData();
  return (
    <Modal title="Import this file?" placement="centre" role="alertdialog" onClose={service.cancel}>
      <div className="mt-3 grid grid-cols-1 gap-3">
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button onClick={service.cancel}>Cancel</Button>
        <Button kind="primary" onClick={() => service.startImport(data)}>
          Import
        </Button>
      </div>
    </Modal>
  );
}

/** Scrolls the panel into view, because it appears below the pressed button, perhaps below the edge of the screen. */
function showWhole(panel: HTMLElement | null): void {
  panel?.scrollIntoView({ block: 'nearest' });
}

function resultText(state: TransferState): string {
  if (state.step === 'exported') return exportedText(state.result, state.outcome);
  if (state.step === 'imported') return importedText(state.result);
  return state.step === 'stopped' ? stoppedText(state.kind) : '';
}

/** The progress or the result of an export or import. @param onGone is called when the focused button disappears. */
export function TransferPanel({ onGone }: { readonly onGone: () => void }) {
  const { state, service } = useTransfer();
  useEffect(() => service.watch(), [service]);
  const leave = (work: () => void) => (): void => {
    work();
    onGone();
  };
  if (state.step === 'idle') return null;
  if (state.step === 'asking') {
    return <AskToImport sentences={previewSentences(state.preview)} service={service} />;
  }
  return (
    <div className="grid grid-cols-1 gap-3 rounded-card bg-card px-4 py-4">
      {/* The element stays the same, so that screen readers announce its text. */}
      <p role="status" className="wrap-anywhere empty:sr-only">
        {resultText(state)}
      </p>
      <div key={state.step} ref={showWhole} className="grid scroll-mb-8 grid-cols-1 gap-3">
        {state.step === 'running' && <Running {...state} onStop={leave(service.cancel)} />}
        {state.step === 'failed' && <ProblemNote>{state.sentence}</ProblemNote>}
        {state.step !== 'running' && (
          <div className="flex flex-wrap gap-3">
            {state.step === 'exported' && (
              <Button
                ref={keepFocus}
                kind={isHandedOver(state.outcome) ? 'quiet' : 'primary'}
                onClick={service.saveAgain}
              >
                {saveLabel(state.outcome)}
              </Button>
            )}
            <Button onClick={leave(service.dismiss)}>Close</Button>
          </div>
        )}
      </div>
    </div>
  );
}
