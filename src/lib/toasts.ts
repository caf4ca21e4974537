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
  /** Milliseconds; 0 or less stays until it is dismissed. */
  readonly durationMs: number;
  readonly action: ToastAction | null;
  /** Epoch milliseconds. */
  readonly createdAtMs: number;
}

export interface ToastRequest {
  readonly message: ReactNode;
  /** `info` if it is not given. */
  readonly variant?: ToastVariant;
  /** A toast of the same id is replaced. One is made if it is not given. */
  readonly id?: string;
  /** 4000 if it is not given; 0 or less stays until it is dismissed. */
  readonly durationMs?: number;
  readonly action?: ToastAction;
}

export interface ToastClock {
  readonly now: () => number;
  /** @returns a function that cancels. */
  readonly after: (delayMs: number, run: () => void) => () => void;
}

/**
 * Short messages that go by themselves.
 *
 * - A message of nothing but white space is ignored; others are trimmed.
 * - A text that was shown less than 500 ms ago is not shown again.
 * - While toasts are held (pointed at, or focused) no time passes for them.
 */
export interface Toasts {
  /** @returns its id; null if it was ignored. */
  show(request: ToastRequest): string | null;
  dismiss(id: string): void;
  clear(): void;
  /** Stops the time of all toasts, also of those to come, until they are released. */
  hold(): void;
  release(): void;
}

export interface ToastsDeps {
  readonly clock: ToastClock;
  readonly newId: () => string;
  /** Told on every change; oldest first. */
  readonly onChange: (toasts: readonly Toast[]) => void;
  readonly onShown: (toast: Toast) => void;
}

const defaultDurationMs = 4_000;
const duplicateWindowMs = 500;
/** Timers of browsers overflow beyond it and fire at once. */
const longestTimerMs = 2_147_483_647;

interface Running {
  readonly toast: Toast;
  remainingMs: number;
  startedAtMs: number;
  cancel: (() => void) | null;
}

/** Remembers texts for as long as they count as just shown. */
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
