import { useId, useMemo, useState, type ReactNode } from 'react';
import type { Fields } from '../../../schemas/documents/sync-state.ts';
import { tellSaved } from '../../data/transfer/save-export.ts';
import { keepFocus } from '../../lib/dom/keep-focus.ts';
import { isRepeatedTap } from '../../lib/dom/repeated-presses.ts';
import { createRequiredContext } from '../../lib/react/required-context.ts';
import { shortText } from '../../lib/text/short-text.ts';
import type { Action } from '../../lib/react/use-action.ts';
import { useAsking } from '../../lib/react/use-asking.ts';
import { saveFile } from '../../platform/save-file.ts';
import { Button, type ButtonProps } from '../../ui/button.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';

const folded = { maxLength: 120, maxLines: 4 };

interface SheetItemState {
  readonly textId: string;
  readonly isBusy: boolean;
}

const { Provider: SheetItemProvider, useValue: useSheetItem } =
  createRequiredContext<SheetItemState>('SheetItem');

export interface SheetItemProps {
  /** The full text; a long one is folded. */
  readonly text: string;
  /** The dog and the time of the item. */
  readonly facts?: string;
  readonly note?: string | undefined;
  /** The id and the action of commands on this item. */
  readonly work?: { readonly id: string; readonly action: Action };
  /** The {@link ItemButton}s. */
  readonly children?: ReactNode;
}

export function SheetItem({ text, facts = '', note, work, children }: SheetItemProps) {
  const textId = useId();
  const isBusy = work?.action.isBusy(work.id) === true;
  const hasProblem = work !== undefined && work.action.itemId === work.id;
  const problem = hasProblem ? work.action.problem : null;
  const state = useMemo(() => ({ textId, isBusy }), [textId, isBusy]);
  return (
    <li ref={keepFocus} className="rounded-card bg-card px-4 py-3">
      <SheetItemProvider value={state}>
        <FoldedText id={textId} text={text} />
        {facts !== '' && <p className="text-ink-soft wrap-anywhere">{facts}</p>}
        {note !== undefined && <p className="text-ink-soft wrap-anywhere">{note}</p>}
        {children !== undefined && <div className="mt-2 flex flex-wrap gap-2">{children}</div>}
        {problem !== null && <ProblemNote>{problem}</ProblemNote>}
      </SheetItemProvider>
    </li>
  );
}

function FoldedText({ id, text }: { readonly id: string; readonly text: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const short = shortText(text, folded);
  return (
    <>
      <p id={id} dir="auto" className="wrap-anywhere whitespace-pre-wrap">
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

/**
 * A button that is described by its item. It does nothing while a command on that item runs, and nothing on the second tap
 * of a double tap.
 */
export function ItemButton({ onClick, ...rest }: ButtonProps) {
  const { textId, isBusy } = useSheetItem();
  return (
    <Button
      aria-describedby={textId}
      aria-disabled={isBusy}
      className="wrap-anywhere"
      onClick={(event) => {
        if (!isRepeatedTap(event)) onClick?.(event);
      }}
      {...rest}
    />
  );
}

/** Whether the item has a recording or a picture, which a file with its fields alone would lack. */
export function hasFile({ type, fileLocation, profilePicturePath }: Fields): boolean {
  return type === 'voice-note' || (fileLocation ?? profilePicturePath) !== undefined;
}

export interface ExportButtonProps {
  readonly item: { readonly id: string; readonly fields: Fields };
  readonly action: Action;
  /** Whether a file waits that its fields do not name yet. */
  readonly isFileWaiting?: boolean;
}

/** A button that exports one item as a file. An item with a file is exported with all that is unsent. */
export function ExportButton({ item, action, isFileWaiting = false }: ExportButtonProps) {
  const exportItem = async () => {
    const type = 'application/json';
    const file = new File([JSON.stringify(item, null, 2)], 'pawpals-item.json', { type });
    return tellSaved(saveFile(file));
  };
  if (isFileWaiting || hasFile(item.fields))
    return <p className="order-last basis-full text-ink-soft">Use “Export unsent”.</p>;
  return <ItemButton onClick={() => action.run(exportItem, item.id)}>Export</ItemButton>;
}

export function DiscardButton({ onDiscard }: { readonly onDiscard: () => void }) {
  const { isAsking, handlers } = useAsking(onDiscard);
  return (
    <ItemButton kind={isAsking ? 'danger' : 'quiet'} {...handlers}>
      {isAsking ? 'Really discard' : 'Discard'}
    </ItemButton>
  );
}
