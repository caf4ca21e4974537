import { useState } from 'react';
import { draftNames, readDraft, writeDraft, type DraftPlace } from '../../lib/draft.ts';
import { AskingButton } from '../button.tsx';
import { keepFocus } from '../../lib/dom/keep-focus.ts';

export interface LeftDraftsProps extends DraftPlace {
  /** The name of a draft that the page shows elsewhere. */
  readonly except?: string;
  /** The saved text. A page that dies just after saving it leaves its draft, which is erased. */
  readonly saved?: string;
}

/** Erases the drafts that are saved. @returns the names of the others. */
function leftNames({ owner, name, except, saved = '' }: LeftDraftsProps): readonly string[] {
  return draftNames(owner, name).filter((each) => {
    const place = { owner, name: each };
    const isSaved = readDraft(place).trim() === saved;
    if (isSaved && each !== except) writeDraft(place, '');
    return !isSaved && each !== except;
  });
}

/** Drafts of a text that was deleted or changed on another device. No other page shows them. */
export function LeftDrafts(props: LeftDraftsProps) {
  const { owner } = props;
  const [names, setNames] = useState(() => leftNames(props));
  const discard = (): void => {
    for (const each of names) writeDraft({ owner, name: each }, '');
    setNames([]);
  };
  const drafts = names.map((each) => readDraft({ owner, name: each }));
  const texts = [...new Set(drafts)].filter((text) => text.trim() !== '');
  if (texts.length === 0) return null;
  return (
    <section
      ref={keepFocus}
      aria-label="Your draft"
      className="flex w-full max-w-sm flex-col gap-3"
    >
      <p className="text-ink-soft">This was not saved. Copy it if you want to keep it:</p>
      {texts.map((text) => (
        <p
          key={text}
          dir="auto"
          className="rounded-card bg-card px-4 py-3 text-start whitespace-pre-wrap wrap-anywhere"
        >
          {text}
        </p>
      ))}
      <AskingButton label="Discard" className="self-center" onConfirm={discard} />
    </section>
  );
}
