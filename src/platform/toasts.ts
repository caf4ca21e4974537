import { atom, useStore, type createStore } from 'jotai';
import type { ReactNode } from 'react';
import { authStateAtom } from './auth/session.ts';
import { hapticsAtom } from './haptics.ts';
import { newId } from './new-id.ts';
import { clockAtom } from './system-clock.ts';

type Store = ReturnType<typeof createStore>;

export type ToastVariant = 'info' | 'success' | 'warning' | 'error';

export interface ToastAction {
  readonly label: string;
  readonly onSelect: () => void;
}

export interface Toast {
  readonly id: string;
  readonly variant: ToastVariant;
  readonly message: ReactNode;
  /** Milliseconds; with 0 or less the toast stays until it is dismissed. */
  readonly durationMs: number;
  readonly action: ToastAction | null;
  /** It concerns the app and not an owner's data, so it stays when the owner changes. */
  readonly isAboutApp: boolean;
  /** Epoch milliseconds. */
  readonly createdAtMs: number;
}

export interface ToastRequest {
  readonly message: ReactNode;
  /** The default is `info`. */
  readonly variant?: ToastVariant;
  /** The id of a toast to replace. The default is a new id. */
  readonly id?: string;
  /** The default is 4000; with 0 or less the toast stays until it is dismissed. */
  readonly durationMs?: number;
  readonly action?: ToastAction;
  /** The default is false: the toast is removed when the owner changes. */
  readonly isAboutApp?: boolean;
}

/** Short messages. Their view (`src/features/toasts`) dismisses them when their time has passed. */
export interface Toasts {
  /** Shows a toast. @returns its id; null if it was ignored. */
  show(request: ToastRequest): string | null;
  dismiss(id: string): void;
}

/** The toasts that are shown now, oldest first. */
export const toastsAtom = atom<readonly Toast[]>([]);

const defaultDurationMs = 4_000;
const duplicateWindowMs = 500;

/** Remembers recent texts, to detect repetitions. */
function createRecentTexts(now: () => number): { readonly isRepeated: (text: string) => boolean } {
  const shownAtMs = new Map<string, number>();
  return {
    isRepeated: (text) => {
      for (const [known, atMs] of shownAtMs) {
        // The clock may have been set back meanwhile.
        if (Math.abs(now() - atMs) >= duplicateWindowMs) shownAtMs.delete(known);
      }
      if (shownAtMs.has(text)) return true;
      shownAtMs.set(text, now());
      return false;
    },
  };
}

/**
 * Creates the toasts of an app.
 *
 * - A message of white space only is ignored; other messages are trimmed.
 * - A text that was shown less than 500 ms ago is ignored.
 * - The toasts of one owner, with their undo actions, are removed when the owner changes. Those about the app stay.
 */
function createToasts(store: Store): Toasts {
  const { now } = store.get(clockAtom);
  const recent = createRecentTexts(now);
  const without = (id: string): readonly Toast[] =>
    store.get(toastsAtom).filter((toast) => toast.id !== id);
  const uidOf = (): string | null => store.get(authStateAtom).user?.uid ?? null;

  let shownTo = uidOf();
  store.sub(authStateAtom, () => {
    const uid = uidOf();
    if (shownTo !== null && shownTo !== uid)
      store.set(toastsAtom, (toasts) => toasts.filter(({ isAboutApp }) => isAboutApp));
    shownTo = uid;
  });

  return {
    show: (request) => {
      const message =
        typeof request.message === 'string' ? request.message.trim() : request.message;
      if (message === '' || (typeof message === 'string' && recent.isRepeated(message)))
        return null;
      const { variant = 'info', id = newId(), durationMs = defaultDurationMs } = request;
      const { action = null, isAboutApp = false } = request;
      const createdAtMs = now();
      const toast = { id, variant, message, durationMs, action, isAboutApp, createdAtMs };
      store.set(toastsAtom, [...without(id), toast]);
      if (variant !== 'info') store.get(hapticsAtom).notify(variant);
      return id;
    },
    dismiss: (id) => store.set(toastsAtom, without(id)),
  };
}

const serviceAtom = atom<Toasts | null>(null);

/** Returns the toasts of the app whose state is in that store. */
export function toastsOf(store: Store): Toasts {
  const toasts = store.get(serviceAtom) ?? createToasts(store);
  store.set(serviceAtom, toasts);
  return toasts;
}

/** Returns the toasts, for a short message: `useToasts().show({ message: 'Saved', variant: 'success' })`. */
export function useToasts(): Toasts {
  return toastsOf(useStore());
}
