import { useAtomValue } from 'jotai';
import * as Toast from 'radix-ui/toast';
import { useRef, useState, type FocusEvent } from 'react';
import { createPortal } from 'react-dom';
import { focusHeading } from '../../lib/dom/focus-heading.ts';
import { toastsAtom, useToasts } from '../../platform/toasts.ts';
import { ToastCard } from './toast-card.tsx';
import { useAvoidFocus } from './use-avoid-focus.ts';
import { useTopmostModal } from './use-topmost-modal.ts';

/** Each toast is an alert itself. Radix would announce its text once more, in a part of the page that a dialog hides. */
const nowhere = new DocumentFragment();

/**
 * The list of toasts, with Radix.
 *
 * - The timers of all toasts pause while one of them is hovered or has the focus, or the window has lost it.
 * - The back, menu and status buttons of the header stay uncovered.
 * - F8 focuses the list. Dismissing a toast by keyboard focuses the next one, or returns the focus to its former place. If
 *   that is gone, as the menu of a deleted note is, the heading of the page has the focus.
 */
export function ToastList() {
  const shown = useAtomValue(toastsAtom);
  const toasts = useToasts();
  // It is another element in a dialog than on the page.
  const [region, setRegion] = useState<HTMLDivElement | null>(null);
  const cameFrom = useRef<EventTarget | null>(null);
  const shiftPx = useAvoidFocus(region);

  const onFocus = ({ relatedTarget }: FocusEvent): void => {
    if (region?.contains(relatedTarget) !== true) cameFrom.current = relatedTarget;
  };

  const dismiss = (id: string): void => {
    const hadFocus = region?.contains(document.activeElement) === true;
    const cards = [...(region?.querySelectorAll('[data-toast]') ?? [])];
    const index = shown.findIndex((toast) => toast.id === id);
    const next = (cards[index + 1] ?? cards[index - 1])?.querySelector('button');
    toasts.dismiss(id);
    if (!hadFocus) return;
    const target = next ?? cameFrom.current;
    if (target instanceof HTMLElement) target.focus();
    // The former place may be gone, or a heading, which is focusable only while it has the focus.
    if (document.activeElement !== target) focusHeading();
  };

  return createPortal(
    <div
      ref={setRegion}
      className="pointer-events-none fixed inset-x-0 top-[calc(max(env(safe-area-inset-top),var(--header-bottom,0px))+1rem)] z-50 mx-auto w-[calc(100%-2rem)] max-w-sm"
      onFocus={onFocus}
    >
      <Toast.Provider announcerContainer={nowhere}>
        {shown.map((toast) => (
          <ToastCard
            key={`${toast.id} ${String(toast.createdAtMs)}`}
            toast={toast}
            onDismiss={() => dismiss(toast.id)}
          />
        ))}
        <Toast.Viewport
          data-toasts
          className="flex flex-col gap-2"
          style={{ transform: `translateY(${String(shiftPx)}px)` }}
        />
      </Toast.Provider>
    </div>,
    useTopmostModal(),
  );
}
