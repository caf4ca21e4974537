import { useId, useRef } from 'react';
import type { Entry } from '../../../../schemas/documents/document.ts';
import { formerTextsOf } from '../../../../schemas/documents/former-texts.ts';
import { commandErrorCopy } from '../../../data/commands/commands.ts';
import { useData } from '../../../data/data-context.ts';
import { exactTimeText } from '../../../lib/dates/entry-time-text.ts';
import { useNow } from '../../../lib/dates/now.ts';
import { useAction } from '../../../lib/react/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';

export interface FormerTextsProps {
  readonly entry: Entry;
}

/** The list of an entry's former texts. Restoring one is an edit like any other, so the current text is kept as well. */
export function FormerTexts({ entry }: FormerTextsProps) {
  const labelId = useId();
  const headingRef = useRef<HTMLHeadingElement>(null);
  const { commands } = useData();
  const nowMs = useNow();
  const action = useAction(commandErrorCopy);
  const former = formerTextsOf(entry.fields, nowMs);
  const restore = async (text: string): Promise<void> => {
    await (await commands()).editText(entry.id, text);
    // The restored text leaves the list, together with the button that had the focus.
    headingRef.current?.focus();
  };
  return (
    <section aria-labelledby={labelId} className="mt-8">
      <h2 ref={headingRef} id={labelId} tabIndex={-1} className="mb-2 text-lg outline-none">
        Former versions
      </h2>
      {former.length === 0 ? (
        <p className="text-base text-ink-soft">
          Former versions are kept for 30 days. There is none left of this entry.
        </p>
      ) : (
        <ul role="list" aria-labelledby={labelId} className="flex flex-col gap-2">
          {former.map(({ text, untilMs }) => (
            <li key={text} className="rounded-card bg-card px-4 py-3 text-base">
              <p className="text-ink-soft tabular-nums">Until {exactTimeText(untilMs)}</p>
              <p
                id={`${labelId}-${String(untilMs)}`}
                dir="auto"
                className="my-2 wrap-anywhere whitespace-pre-wrap"
              >
                {text}
              </p>
              <Button
                aria-describedby={`${labelId}-${String(untilMs)}`}
                onClick={() => action.run(() => restore(text), '', 'The former text is back.')}
              >
                Restore
              </Button>
            </li>
          ))}
        </ul>
      )}
      <p role="status" className="mt-2 text-base text-ink-soft empty:sr-only">
        {action.done}
      </p>
      {action.problem !== null && <ProblemNote>{action.problem}</ProblemNote>}
    </section>
  );
}
