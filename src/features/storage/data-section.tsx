import Archive from 'lucide-react/icons/archive';
import Download from 'lucide-react/icons/download';
import Upload from 'lucide-react/icons/upload';
import { useRef, type ChangeEvent } from 'react';
import { useData } from '../../data/data-context.ts';
import { useLiveFrom } from '../../lib/react/use-live-from.ts';
import { Button } from '../../ui/button.tsx';
import { SharedItemsLink } from '../../ui/leftovers/shared-items-link.tsx';
import { watchUnsent } from '../../data/unsent-work.ts';
import { StorageLine } from './storage-line.tsx';
import { TransferPanel } from './transfer-panel.tsx';
import { useTransfer } from './use-transfer.ts';

const cardStyle = 'flex gap-4 rounded-card bg-card px-4 py-4';
const partStyle = 'grid min-w-0 flex-1 grid-cols-1 justify-items-start gap-3';

const allInCloud = 'Nothing. Everything is in the cloud.';

/**
 * The section about the owner's data as a whole: its storage, export and import. Its parts are there before their
 * contents are known, so that nothing below moves while it is pressed.
 */
export function DataSection() {
  const data = useData();
  const { state, service } = useTransfer();
  const inputRef = useRef<HTMLInputElement>(null);
  const headingRef = useRef<HTMLHeadingElement>(null);
  const unsent = useLiveFrom(data, watchUnsent);
  const isBusy = state.step === 'running';

  const choose = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    const file = target.files?.[0];
    if (file !== undefined) service.chooseFile(data, file);
    // Clearing the value lets the owner choose the same file again.
    target.value = '';
  };

  return (
    <section aria-labelledby="your-data" className="mt-6 flex flex-col gap-3">
      <h2 id="your-data" ref={headingRef} tabIndex={-1} className="text-2xl outline-none">
        Your data
      </h2>
      <div className={cardStyle}>
        <Archive aria-hidden size={22} className="flex-none text-moss" />
        <div className={partStyle}>
          <div>
            <p className="font-semibold">Only on this device</p>
            <p className="text-ink-soft">
              {unsent === undefined ? '\u00a0' : unsent.text || allInCloud}
            </p>
          </div>
          <Button
            aria-disabled={isBusy || !unsent?.isExportable}
            onClick={() => service.startExport(data, { kind: 'unsent' })}
          >
            Export unsent
          </Button>
          {unsent?.hasShared && <SharedItemsLink />}
        </div>
      </div>
      <div className={cardStyle}>
        <Download aria-hidden size={22} className="flex-none text-moss" />
        <div className={partStyle}>
          <div>
            <p className="font-semibold">Export everything</p>
            <p className="text-ink-soft">
              One zip file with all dogs, notes, recordings and pictures, to read and to keep.
            </p>
          </div>
          <Button
            aria-disabled={isBusy}
            onClick={() => service.startExport(data, { kind: 'everything' })}
          >
            Export
          </Button>
        </div>
      </div>
      <div className={cardStyle}>
        <Upload aria-hidden size={22} className="flex-none text-moss" />
        <div className={partStyle}>
          <div>
            <p className="font-semibold">Import</p>
            <p className="text-ink-soft">
              Brings back what was exported. What is here already stays as it is.
            </p>
          </div>
          <Button aria-disabled={isBusy} onClick={() => inputRef.current?.click()}>
            Choose a file
          </Button>
          <input
            ref={inputRef}
            type="file"
            accept=".zip,application/zip"
            aria-label="File to import"
            hidden
            onChange={choose}
          />
        </div>
      </div>
      <TransferPanel onGone={() => headingRef.current?.focus()} />
      <StorageLine isChanging={state.step === 'running'} />
    </section>
  );
}
