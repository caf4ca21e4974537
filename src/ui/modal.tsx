import {
  useId,
  useLayoutEffect,
  useRef,
  type CSSProperties,
  type MouseEvent,
  type ReactNode,
} from 'react';
import { classNames } from '../lib/dom/class-names.ts';

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
  /** An alert asks something that must be answered: a press outside does not close it. */
  readonly role?: 'dialog' | 'alertdialog';
  /** The part of its place that only the moment says. */
  readonly style?: CSSProperties;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * A modal on the browser's own dialog: it holds the focus, makes the page behind inert, closes on Escape and gives the
 * focus back.
 */
export function Modal(props: ModalProps) {
  const { title, placement, role = 'dialog', style, onClose, children } = props;
  const ref = useRef<HTMLDialogElement>(null);
  const titleRef = useRef<HTMLHeadingElement>(null);
  const titleId = useId();

  // A layout effect, because it is undone while the element is still in the page.
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    // Only now: the browser would focus it instead of the first control.
    if (titleRef.current !== null) titleRef.current.tabIndex = -1;
    // Closing, and not only removing it, is what gives the focus back.
    return () => dialog?.close();
  }, []);

  const closeOnBackdrop = (event: MouseEvent): void => {
    if (role === 'dialog' && event.target === ref.current && isOutside(event)) onClose();
  };

  return (
    <dialog
      ref={ref}
      role={role}
      aria-labelledby={titleId}
      className={classNames('modal', placements[placement])}
      style={style}
      onCancel={(event) => {
        // React hands on the events of a dialog inside this one.
        if (event.target !== ref.current) return;
        event.preventDefault();
        onClose();
      }}
      onClose={(event) => {
        // A browser may close it past `cancel`. Not so when an effect has opened it again meanwhile.
        if (event.target === ref.current && !ref.current.open) onClose();
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
