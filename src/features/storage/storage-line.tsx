import ChevronDown from 'lucide-react/icons/chevron-down';
import HardDrive from 'lucide-react/icons/hard-drive';
import { keepFocus } from '../../lib/dom/keep-focus.ts';
import { sizeText } from '../../lib/text/size-text.ts';
import { clearsUnvisited } from '../../platform/storage/storage-protection.ts';
import { Button } from '../../ui/button.tsx';
import { useStorage } from './use-storage.ts';

const inCloud = 'What is in the cloud is safe from that.';

function protectionText(isProtected: boolean | null): string {
  if (isProtected === null) return `Your browser does not say whether it may clear it. ${inCloud}`;
  return isProtected
    ? 'Your browser does not clear it by itself.'
    : `Your browser may clear it when the device runs out of space. ${inCloud}`;
}

const unvisited =
  'After seven days without a visit it clears it as well. An app on the home screen is left alone.';

const refused =
  'Your browser did not agree. It is likelier to once PawPals is installed on your home screen.';

export interface StorageLineProps {
  /** Whether a transfer changes the size. */
  readonly isChanging: boolean;
}

/** The size of the data on this device in one line, with details on whether the browser may evict it. */
export function StorageLine({ isChanging }: StorageLineProps) {
  const { report, isRefused, protect } = useStorage(isChanging);
  const { isProtected = null, used = null } = report ?? {};
  return (
    <details className="group rounded-card bg-card">
      <summary className="flex min-h-14 cursor-pointer list-none items-center gap-4 rounded-card px-4 py-3 hover:bg-card-strong [&::-webkit-details-marker]:hidden">
        <HardDrive aria-hidden size={22} className="text-moss" />
        <span className="min-w-0 flex-1 font-semibold">Storage on this device</span>
        {used !== null && (
          <span className="text-ink-soft tabular-nums">{`${sizeText(used.bytes)} used`}</span>
        )}
        <ChevronDown
          aria-hidden
          size={20}
          className="text-ink-soft transition-transform group-open:rotate-180"
        />
      </summary>
      <div className="grid grid-cols-1 justify-items-start gap-3 px-4 pt-1 pb-4 pl-[min(3.375rem,15vw)]">
        <p className="text-ink-soft">{protectionText(isProtected)}</p>
        {isProtected !== true && clearsUnvisited() && <p className="text-ink-soft">{unvisited}</p>}
        {used !== null && (
          <p className="text-ink-soft tabular-nums">
            {`There is room for ${sizeText(used.ofBytes)}.`}
          </p>
        )}
        {isProtected === false && (
          <Button ref={keepFocus} onClick={protect}>
            Protect storage
          </Button>
        )}
        <p role="status" className="text-ink-soft empty:sr-only">
          {isRefused && isProtected === false ? refused : ''}
        </p>
      </div>
    </details>
  );
}
