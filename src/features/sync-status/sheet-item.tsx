import { useId, useMemo, useState, type ReactNode } from 'react';
import { createRequiredContext } from '../../lib/required-context.ts';
import { Button, type ButtonProps } from '../../ui/button.tsx';
import { preview } from './item-words.ts';

interface SheetItemState {
  readonly textId: string;
  readonly isBusy: boolean;
}

const { Provider: SheetItemProvider, useValue: useSheetItem } =
  createRequiredContext<SheetItemState>('SheetItem');

export interface SheetItemProps {
  /** The whole of it; what is long is folded. */
  readonly text: string;
  readonly note?: string;
  /** Something is being done to it. */
  readonly isBusy?: boolean;
  /** {@link ItemButton}s. */
  readonly children?: ReactNode;
}

export function SheetItem({ text, note, isBusy = false, children }: SheetItemProps) {
  const textId = useId();
  const state = useMemo(() => ({ textId, isBusy }), [textId, isBusy]);
  return (
    <li className="rounded-card bg-card px-4 py-3">
      <SheetItemProvider value={state}>
        <FoldedText id={textId} text={text} />
        {note !== undefined && <p className="text-ink-soft">{note}</p>}
        {children !== undefined && <div className="mt-2 flex flex-wrap gap-2">{children}</div>}
      </SheetItemProvider>
    </li>
  );
}

function FoldedText({ id, text }: { readonly id: string; readonly text: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const short = preview(text);
  return (
    <>
      <p id={id} dir="auto" className="break-words whitespace-pre-wrap">
        {isOpen ? text : short}
      </p>
      {short !== text && (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-describedby={id}
          className="min-h-11 font-semibold text-moss underline underline-offset-4"
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? 'Show less' : 'Show all'}
        </button>
      )}
    </>
  );
}

/** A button that says to which item it belongs, and rests while something is done to that item. */
export function ItemButton(props: ButtonProps) {
  const { textId, isBusy } = useSheetItem();
  return <Button aria-describedby={textId} disabled={isBusy} {...props} />;
}

/** Asks once more, on the same spot, before something goes that is nowhere else. */
export function DiscardButton({ onDiscard }: { readonly onDiscard: () => void }) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <ItemButton
      kind={isAsking ? 'danger' : 'quiet'}
      onClick={() => {
        if (isAsking) onDiscard();
        setIsAsking(!isAsking);
      }}
      onBlur={() => setIsAsking(false)}
    >
      {isAsking ? 'Really discard' : 'Discard'}
    </ItemButton>
  );
}
