import { useAtomValue } from 'jotai';
import { useEffect, useRef, type FocusEvent } from 'react';
import { createPortal } from 'react-dom';
import { authStateAtom } from '../../platform/auth/session.ts';
import { toastsAtom } from '../../platform/toast-state.ts';
import { useToasts } from '../../platform/toasts.ts';
import { ToastCard } from './toast-card.tsx';
import { useAvoidFocus } from './use-avoid-focus.ts';
import { useTopmostModal } from './use-topmost-modal.ts';

/**
 * The list of toasts.
 *
 * - The timers of all toasts pause while one of them is hovered or has the focus.
 * - The back, menu and status buttons of the header stay uncovered.
 * - The toasts of one owner, with their undo actions, are removed when the owner changes.
 * - Dismissing a toast by keyboard focuses the next one, or returns the focus to its former place.
 */
export function ToastList() {
  const shown = useAtomValue(toastsAtom);
  const toasts = useToasts();
  const ref = useRef<HTMLDivElement>(null);
  const cameFrom = useRef<EventTarget | null>(null);
  const shiftPx = useAvoidFocus(ref);
  const uid = useAtomValue(authStateAtom).user?.uid ?? null;

  const shownTo = useRef(uid);

  useEffect(() => {
    if (shownTo.current !== null && shownTo.current !== uid) toasts.clear();
    shownTo.current = uid;
  }, [uid, toasts]);

  const releaseUnlessUsed = (): void => {
    const list = ref.current;
    const isUsed = list?.matches(':hover') === true || list?.contains(document.activeElement);
    if (isUsed !== true) toasts.release();
  };

  // A toast that was removed is neither hovered nor focused any more.
  useEffect(releaseUnlessUsed);
  useEffect(() => () => toasts.release(), [toasts]);

  const onFocus = ({ relatedTarget }: FocusEvent): void => {
    if (ref.current?.contains(relatedTarget) !== true) cameFrom.current = relatedTarget;
    toasts.hold();
  };

  const dismiss = (id: string): void => {
    const cards = [...(ref.current?.querySelectorAll('[data-toast]') ?? [])];
    const index = cards.findIndex((card) => card.contains(document.activeElement));
    const next = (cards[index + 1] ?? cards[index - 1])?.querySelector('button');
    toasts.dismiss(id);
    if (index === -1) return;
    if (next) next.focus();
    else if (cameFrom.current instanceof HTMLElement) cameFrom.current.focus();
  };

  return createPortal(
    <div
      ref={ref}
      className="pointer-events-none fixed inset-x-0 top-[calc(max(env(safe-area-inset-top),var(--header-bottom,0px))+1rem)] z-50 mx-auto w-[calc(100%-2rem)] max-w-sm"
      onPointerEnter={() => toasts.hold()}
      onPointerLeave={releaseUnlessUsed}
      onFocus={onFocus}
      onBlur={() => queueMicrotask(releaseUnlessUsed)}
    >
      <div
        className="flex flex-col gap-2"
        style={{ transform: `translateY(${String(shiftPx)}px)` }}
      >
        {shown.map((toast) => (
          <ToastCard key={toast.id} toast={toast} onDismiss={() => dismiss(toast.id)} />
        ))}
      </div>
    </div>,
    useTopmostModal(),
  );
}
