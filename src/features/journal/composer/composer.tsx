import SendHorizontal from 'lucide-react/icons/send-horizontal';
import { useLayoutEffect, useState, type ReactNode, type SyntheticEvent } from 'react';
import { caretToEnd } from '../../../lib/dom/caret-to-end.ts';
import { shownIf } from '../../../lib/dom/shown-if.ts';
import { keepFocusWhilePressed } from '../../../lib/dom/keep-focus-while-pressed.ts';
import { enterStartsLine } from '../../../platform/storage/device-choice.ts';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import type { NoteBoxProps } from './note-box.ts';
import { isSendKey } from './send-key.ts';
import { WriteLarger } from './write-larger.tsx';

export interface ComposerProps extends NoteBoxProps {
  /** The microphone, which replaces Send while there is nothing to send. */
  readonly microphone: ReactNode;
}

const boxMaxHeightPx = 160;

/** A low page is laid out for writing while the box has the focus (`writing` in app.css). */
function keepWriting(form: HTMLFormElement | null) {
  return form === null ? undefined : keepFocusWhilePressed(form, '(height <= 26rem)');
}

/** The id of the box, for links to it. */
export const composerBoxId = 'write-a-note';

export function Composer(props: ComposerProps) {
  const { microphone, ...box } = props;
  const { boxRef, text, problem, canSend, writing, onSent } = box;
  const [startsLine] = useState(enterStartsLine.isMade);
  // This runs after each render, because each change of the text renders.
  useLayoutEffect(() => {
    const element = boxRef.current;
    if (element === null) return;
    element.style.height = 'auto';
    // Reading its height forces a layout, which would delay the first rows.
    if (text === '') return;
    element.style.height = `${String(Math.min(element.scrollHeight, boxMaxHeightPx))}px`;
  });
  // A text that comes from a draft, perhaps with a shared one at its end, continues there.
  useLayoutEffect(() => {
    const element = boxRef.current;
    if (element === null || text === '' || element === document.activeElement) return;
    element.scrollTop = element.scrollHeight;
  }, [boxRef, text]);

  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (writing.send()) onSent();
    boxRef.current?.focus();
  };

  return (
    <form
      ref={keepWriting}
      onSubmit={submit}
      className="composer page-column @container relative flex flex-none flex-col gap-2 px-[12px] pt-2 pb-[max(0.75rem,env(safe-area-inset-bottom))]"
    >
      {problem !== null && <ProblemNote>{problem}</ProblemNote>}
      {/* With large text in a narrow column, the buttons do not grow with the text, which leaves room for it. */}
      <div className="relative flex flex-wrap items-end gap-2 @max-[18rem]:gap-[4px]">
        {/* The bar of a recording covers it. */}
        <div className="relative flex min-w-0 flex-1 has-[~.recording-bar]:invisible">
          <textarea
            ref={boxRef}
            id={composerBoxId}
            aria-label="Write a note"
            placeholder="Write a note"
            dir="auto"
            rows={1}
            value={text}
            enterKeyHint={startsLine ? 'enter' : 'send'}
            className="max-h-[min(160px,45dvh)] min-h-12 w-full resize-none rounded-3xl bg-card-strong py-3 pr-12 pl-5 @max-[18rem]:pr-[40px] @max-[18rem]:pl-[12px] text-[1.0625rem] leading-normal text-ink placeholder:text-ink-soft"
            onFocus={caretToEnd}
            onChange={(event) => writing.type(event.target.value)}
            onKeyDown={(event) => {
              if (isSendKey(event, startsLine)) submit(event);
            }}
          />
          <WriteLarger {...box} />
        </div>
        {microphone}
        <button
          type="submit"
          aria-label="Send"
          title="Send"
          style={shownIf(canSend)}
          // The box keeps the focus, so a phone keeps its keyboard open.
          onMouseDown={(event) => event.preventDefault()}
          className="[.recording-bar~&]:hidden inline-flex size-12 @max-[18rem]:size-[48px] @max-[18rem]:my-[calc(1.5rem-24px)] flex-none items-center justify-center rounded-full bg-moss text-on-moss transition-colors hover:bg-moss-strong"
        >
          <SendHorizontal aria-hidden size={22} />
        </button>
      </div>
    </form>
  );
}
