import { SendHorizontal } from 'lucide-react';
import {
  useLayoutEffect,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
} from 'react';
import { ProblemNote } from '../../ui/problem-note.tsx';

export interface ComposerProps {
  readonly boxRef: RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  readonly problem: string | null;
  /** There is something to send. */
  readonly canSend: boolean;
  readonly onType: (text: string) => void;
  readonly onSend: () => void;
  /** The microphone: it has the place of Send while there is nothing to send. */
  readonly microphone: ReactNode;
}

const boxMaxHeightPx = 160;

/** Where a link to the box leads. */
export const composerBoxId = 'write-a-note';

/** Key code of a key press that an input method has swallowed; Safari sends it without `isComposing`. */
const swallowedKeyCode = 229;

function isSendKey({ key, shiftKey, keyCode, nativeEvent }: KeyboardEvent): boolean {
  const isComposing = nativeEvent.isComposing || keyCode === swallowedKeyCode;
  return key === 'Enter' && !shiftKey && !isComposing;
}

export function Composer(props: ComposerProps) {
  const { boxRef, text, problem, canSend, onType, onSend, microphone } = props;
  // After each render, and it renders when the text changes.
  useLayoutEffect(() => {
    const box = boxRef.current;
    if (box === null) return;
    box.style.height = 'auto';
    // Asking for its height lays the page out, which the first rows would wait for.
    if (text === '') return;
    box.style.height = `${String(Math.min(box.scrollHeight, boxMaxHeightPx))}px`;
  });

  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    onSend();
  };

  return (
    <form
      onSubmit={submit}
      className="composer relative mx-auto flex w-full max-w-journal flex-none flex-col gap-2 px-3 pt-2 pb-[max(0.75rem,env(safe-area-inset-bottom))]"
    >
      {problem !== null && <ProblemNote>{problem}</ProblemNote>}
      <div className="relative flex items-end gap-2">
        <textarea
          ref={boxRef}
          id={composerBoxId}
          aria-label="Write a note"
          placeholder="Write a note"
          dir="auto"
          rows={1}
          value={text}
          enterKeyHint="send"
          className="max-h-[min(160px,45dvh)] min-h-12 min-w-0 flex-1 resize-none rounded-3xl bg-card-strong px-5 py-3 text-[1.0625rem] leading-normal text-ink placeholder:text-ink-soft"
          onChange={(event) => onType(event.target.value)}
          onKeyDown={(event) => {
            if (isSendKey(event)) submit(event);
          }}
        />
        {microphone}
        <button
          type="submit"
          aria-label="Send"
          title="Send"
          hidden={!canSend}
          // The box keeps the focus, and a phone its keyboard.
          onMouseDown={(event) => event.preventDefault()}
          className="inline-flex size-12 flex-none items-center justify-center rounded-full bg-moss text-on-moss transition-colors hover:bg-moss-strong [[hidden]]:hidden"
        >
          <SendHorizontal aria-hidden size={22} />
        </button>
      </div>
    </form>
  );
}
