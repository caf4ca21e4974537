import {
  useId,
  useLayoutEffect,
  useRef,
  type CSSProperties,
  type MouseEvent,
  type ReactNode,
} from 'react';
import { classNames } from '../lib/dom/class-names.ts';
import { useStepBack } from './use-step-back.ts';

const placements = {
  centre:
    'm-auto max-h-[calc(100dvh-2rem)] overflow-y-auto w-[min(28rem,calc(100vw-2rem))] rounded-card p-6',
  side: 'modal-side m-0 h-dvh overflow-y-auto w-[min(20rem,86vw)] p-4 pt-[max(1rem,env(safe-area-inset-top))]',
  bottom:
    'modal-bottom mx-auto mt-auto mb-0 max-h-[85dvh] w-[min(40rem,100vw)] overflow-y-auto rounded-t-card p-6 pb-[max(1.5rem,env(safe-area-inset-bottom))] has-[.modal-actions]:pb-0 min-[900px]:mb-auto min-[900px]:rounded-card',
  whole:
    'm-0 h-dvh w-screen flex-col gap-3 px-[max(1rem,calc(50vw-var(--container-journal)/2))] pt-[max(1rem,env(safe-area-inset-top))] pb-[max(0.75rem,env(safe-area-inset-bottom))] open:flex',
};

export interface ModalProps {
  readonly title: ReactNode;
  readonly placement: keyof typeof placements;
  /** The role. An alert needs an answer, so a press outside does not close it. Its first child says what it asks. */
  readonly role?: 'dialog' | 'alertdialog';
  /** Styles of its position that are only known at run time. */
  readonly style?: CSSProperties;
  /** null while it has to stay open. */
  readonly onClose: (() => void) | null;
  /** Whether it is a page of its own, which a step back leaves. */
  readonly isPage?: boolean;
  readonly children: ReactNode;
}

/**
 * A modal based on the browser's `dialog`: it traps the focus, makes the page behind inert, closes on Escape and
 * returns the focus.
 */
export function Modal(props: ModalProps) {
  const { title, placement, role = 'dialog', style, onClose, isPage = false, children } = props;
  const ref = useRef<HTMLDialogElement>(null);
  const titleRef = useRef<HTMLHeadingElement>(null);
  const titleId = useId();
  useStepBack(() => {
    const topmost = [...document.querySelectorAll('dialog[open]')].at(-1);
    if (isPage || topmost !== ref.current) return false;
    return onClose?.();
  });
  const askedId = role === 'alertdialog' ? `${titleId}-asked` : undefined;

  // This is a layout effect, because its cleanup runs while the element is still in the page.
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    // The title becomes focusable only now, because the browser would focus it instead of the first control.
    if (titleRef.current !== null) titleRef.current.tabIndex = -1;
    // The first control of a long sheet may be far below the title.
    if (dialog !== null && dialog.scrollTop > 0) titleRef.current?.focus();
    if (askedId !== undefined) titleRef.current?.nextElementSibling?.setAttribute('id', askedId);
    // Closing the dialog returns the focus; removing the element alone does not.
    return () => dialog?.close();
  }, [askedId]);

  const closeOnBackdrop = (event: MouseEvent): void => {
    if (role === 'dialog' && event.target === ref.current && isOutside(event)) onClose?.();
  };

  return (
    <dialog
      ref={ref}
      role={role}
      aria-labelledby={titleId}
      aria-describedby={askedId}
      className={classNames('modal', placements[placement])}
      style={style}
      onCancel={(event) => {
        // React bubbles the events of a nested dialog to this one.
        if (event.target !== ref.current) return;
        event.preventDefault();
        onClose?.();
      }}
      onClose={(event) => {
        // A browser may close the dialog without `cancel`. An effect may have opened it again meanwhile.
        if (event.target !== ref.current || ref.current.open) return;
        if (onClose === null) ref.current.showModal();
        else onClose();
      }}
      onClick={closeOnBackdrop}
    >
      <h2 ref={titleRef} id={titleId} className="text-xl break-words outline-none">
        {title}
      </h2>
      {children}
    </dialog>
  );
}

function isOutside({ currentTarget, clientX, clientY }: MouseEvent): boolean {
  const box = currentTarget.getBoundingClientRect();
  const isInside =
    clientX >= box.left && clientX <= box.right && clientY >= box.top && clientY <= box.bottom;
  return !isInside;
}
