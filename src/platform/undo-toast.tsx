import type { ToastRequest, Toasts } from './toasts.ts';

const undoForMs = 10_000;

export interface UndoRequest extends Omit<ToastRequest, 'action'> {
  readonly onUndo: () => void;
}

/** Shows a toast with a button that undoes what the message says. @returns its id. */
export function showUndo(toasts: Toasts, { message, onUndo, ...how }: UndoRequest): string | null {
  return toasts.show({
    // The message is not a string, because a repeated string would be ignored, and its Undo lost.
    message: <>{message}</>,
    durationMs: undoForMs,
    action: { label: 'Undo', onSelect: onUndo },
    ...how,
  });
}
