import type { ReactNode } from 'react';

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
}

export interface ToastClock {
  readonly now: () => number;
  /** Runs a function after a delay. @returns a function that cancels it. */
  readonly after: (delayMs: number, run: () => void) => () => void;
}

/** Short messages that close by themselves. */
export interface Toasts {
  /** Shows a toast. @returns its id; null if it was ignored. */
  show(request: ToastRequest): string | null;
  dismiss(id: string): void;
  clear(): void;
  /** Pauses the timers of all toasts, and of those shown later, until `release` is called. */
  hold(): void;
  release(): void;
}

export interface ToastsDeps {
  readonly clock: ToastClock;
  readonly newId: () => string;
  /** Called on every change with all toasts, oldest first. */
  readonly onChange: (toasts: readonly Toast[]) => void;
  readonly onShown: (toast: Toast) => void;
}

const defaultDurationMs = 4_000;
const duplicateWindowMs = 500;
/** Timers of browsers overflow above this delay and fire at once. */
const longestTimerMs = 2_147_483_647;

interface Running {
  readonly toast: Toast;
  remainingMs: number;
  startedAtMs: number;
  cancel: (() => void) | null;
}

/** Remembers recent texts, to detect repetitions. */
function createRecentTexts(now: () => number): { readonly isRepeated: (text: string) => boolean } {
  const shownAtMs = new Map<string, number>();
  return {
    isRepeated: (text) => {
      for (const [known, atMs] of shownAtMs) {
        if (now() - atMs >= duplicateWindowMs) shownAtMs.delete(known);
      }
      if (shownAtMs.has(text)) return true;
      shownAtMs.set(text, now());
      return false;
    },
  };
}

/**
 * Creates the toasts of the app.
 *
 * - A message of white space only is ignored; other messages are trimmed.
 * - A text that was shown less than 500 ms ago is ignored.
 * - While toasts are held (hovered or focused), their timers pause.
 */
export function createToasts({ clock, newId, onChange, onShown }: ToastsDeps): Toasts {
  const running = new Map<string, Running>();
  const recent = createRecentTexts(clock.now);
  let isHeld = false;

  const tell = (): void => onChange([...running.values()].map(({ toast }) => toast));

  const stop = (one: Running): void => {
    if (one.cancel === null) return;
    one.cancel();
    one.cancel = null;
    one.remainingMs -= clock.now() - one.startedAtMs;
  };

  const dismiss = (id: string): void => {
    const one = running.get(id);
    if (one === undefined) return;
    stop(one);
    running.delete(id);
    tell();
  };

  const start = (one: Running): void => {
    const { durationMs, id } = one.toast;
    if (isHeld || !(durationMs > 0)) return;
    one.startedAtMs = clock.now();
    const delayMs = Math.min(Math.max(one.remainingMs, 0), longestTimerMs);
    one.cancel = clock.after(delayMs, () => dismiss(id));
  };

  const show = (request: ToastRequest): string | null => {
    const message = typeof request.message === 'string' ? request.message.trim() : request.message;
    if (message === '' || (typeof message === 'string' && recent.isRepeated(message))) return null;
    const { variant = 'info', id = newId(), durationMs = defaultDurationMs, action } = request;
    const createdAtMs = clock.now();
    const toast = { id, variant, message, durationMs, action: action ?? null, createdAtMs };
    running.get(id)?.cancel?.();
    const one = { toast, remainingMs: durationMs, startedAtMs: createdAtMs, cancel: null };
    running.set(id, one);
    start(one);
    tell();
    onShown(toast);
    return id;
  };

  return {
    show,
    dismiss,
    clear: () => {
      for (const one of running.values()) stop(one);
      running.clear();
      tell();
    },
    hold: () => {
      isHeld = true;
      for (const one of running.values()) stop(one);
    },
    release: () => {
      if (!isHeld) return;
      isHeld = false;
      for (const one of running.values()) start(one);
    },
  };
}
