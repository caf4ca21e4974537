import { deletedEntryFileKeptMs } from '../../schemas/local/remove-file.ts';
import { newId } from './new-id.ts';
import { watchReturnToPage } from './page-visibility.ts';
import { systemClock } from './system-clock.ts';
import type { ToastRequest, Toasts } from './toasts.ts';

const undoForMs = 10_000;
/** The time of a toast pauses while the window has no focus, but that of a deleted recording on the server does not. */
const undoAtMostMs = deletedEntryFileKeptMs - undoForMs;

export interface UndoRequest extends Omit<ToastRequest, 'action'> {
  readonly onUndo: () => void;
}

/** Shows a toast with a button that undoes what the message says. @returns its id. */
export function showUndo(toasts: Toasts, { message, onUndo, ...how }: UndoRequest): string {
  const { id = newId() } = how;
  toasts.show({
    // The message is not a string, because a repeated string would be ignored, and its Undo lost.
    message: <>{message}</>,
    durationMs: undoForMs,
    action: { label: 'Undo', onSelect: onUndo },
    ...how,
    id,
  });
  // An Undo that failed is offered until it is dismissed.
  if (how.durationMs === 0) return id;
  const { now, after } = systemClock;
  const untilMs = now() + undoAtMostMs;
  const withdraw = (): void => {
    cancel();
    unwatch();
    toasts.dismiss(id);
  };
  const cancel = after(undoAtMostMs, withdraw);
  // Timers stop while a device sleeps, and sync removes the recording when it wakes.
  const unwatch = watchReturnToPage(() => now() >= untilMs && withdraw());
  return id;
}
