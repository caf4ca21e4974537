import Maximize2 from 'lucide-react/icons/maximize-2';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../../lib/react/lazy-part.tsx';
import type { NoteBoxProps } from './note-box.ts';

const largeComposer = lazyPart(
  async () => (await import('./large-composer.lazy.tsx')).LargeComposer,
);

/** The button that opens the box in full screen; the code loads on the first use. */
export function WriteLarger(props: NoteBoxProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        aria-label="Write larger"
        title="Write larger"
        className="absolute right-1 bottom-0.5 inline-flex size-11 @max-[18rem]:bottom-[calc(1.5rem-22px)] @max-[18rem]:size-[44px] items-center justify-center rounded-full text-ink-soft hover:text-ink"
        onPointerEnter={largeComposer.preload}
        onClick={() => {
          // The dialog returns the focus to this box, and a phone keeps its keyboard open.
          props.boxRef.current?.focus();
          setIsOpen(true);
        }}
      >
        <Maximize2 aria-hidden size={18} />
      </button>
      {isOpen && (
        <Suspense>
          <largeComposer.Component {...props} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
