import Minimize2 from 'lucide-react/icons/minimize-2';
import { useLayoutEffect, useRef } from 'react';
import { noteTextMaxLength } from '../../../../schemas/limits.ts';
import { useVisibleArea } from '../../../lib/dom/visible-area.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import type { NoteBoxProps } from './note-box.ts';
import { isSendKey } from './send-key.ts';

export interface LargeComposerProps extends NoteBoxProps {
  readonly onClose: () => void;
}

const inThousands = new Intl.NumberFormat('en-GB');

/** Moves the caret to its place in the small box, so that writing continues there. */
function useTakenOver(boxRef: NoteBoxProps['boxRef']) {
  const ref = useRef<HTMLTextAreaElement>(null);
  // The layout effect of the dialog, a child, has focused the first control already. A later effect than this one would let
  // a key pass before.
  useLayoutEffect(() => {
    const { selectionStart = 0, selectionEnd = 0 } = boxRef.current ?? {};
    ref.current?.focus();
    ref.current?.setSelectionRange(selectionStart, selectionEnd);
  }, [boxRef]);
  return ref;
}

/** The composer in full screen, with the same text, limit and Send. Enter starts a new line. */
export function LargeComposer(props: LargeComposerProps) {
  const { boxRef, text, problem, canSend, writing, onSent, onClose } = props;
  const ref = useTakenOver(boxRef);
  const { topPx, heightPx } = useVisibleArea();

  const send = (): void => {
    if (!canSend) return;
    if (writing.send()) onSent();
    boxRef.current?.focus();
    // A text that is too long keeps the composer open.
    if (text.trim().length <= noteTextMaxLength) onClose();
  };

  return (
    <Modal
      title="Write a note"
      placement="whole"
      style={{ marginTop: topPx, ...(heightPx !== null && { height: heightPx }) }}
      onClose={onClose}
    >
      {/* There is no form here, because the form of the composer contains it. */}
      <div className="flex min-h-0 flex-1 flex-col gap-3">
        {problem !== null && <ProblemNote>{problem}</ProblemNote>}
        <textarea
          ref={ref}
          aria-label="Note"
          aria-keyshortcuts="Control+Enter Meta+Enter"
          dir="auto"
          value={text}
          className="min-h-16 w-full flex-1 resize-none border-y border-line bg-paper py-3 text-[1.0625rem] leading-normal text-ink focus-visible:outline-none"
          onChange={(event) => writing.type(event.target.value)}
          onKeyDown={(event) => {
            if (!isSendKey(event, true)) return;
            event.preventDefault();
            send();
          }}
        />
        <div className="flex items-center justify-between gap-3">
          <IconButton
            label="Write smaller"
            icon={Minimize2}
            className="-ml-2.5"
            onClick={onClose}
          />
          <p className="text-ink-soft tabular-nums">
            {inThousands.format(text.length)} / {inThousands.format(noteTextMaxLength)}
            <span className="sr-only"> characters</span>
          </p>
          <Button kind="primary" aria-disabled={!canSend} onClick={send}>
            Send
          </Button>
        </div>
      </div>
    </Modal>
  );
}
