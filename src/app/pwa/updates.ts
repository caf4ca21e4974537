import type { Clock, Log } from '../../../replication/ports.ts';
import type { ChunkLoadError } from '../../lib/async/load-chunk.ts';
import type { Toasts } from '../../platform/toasts.ts';
import type { UnfinishedWork } from './unfinished-work.ts';

/** The service worker of the next version of the app, from the page's point of view. */
export interface AppWorker {
  /** Calls `then` when a new version is installed and waits. */
  readonly onWaiting: (then: () => void) => void;
  /** Calls `then` when the new worker has taken over, whichever tab asked for it. */
  readonly onReplaced: (then: () => void) => void;
  /** Lets the waiting worker take over. */
  readonly apply: () => void;
}

export interface UpdatesDeps {
  readonly worker: AppWorker;
  readonly toasts: Pick<Toasts, 'show'>;
  /** Finds the unfinished work of all tabs. */
  readonly findUnfinished: () => Promise<UnfinishedWork | null>;
  readonly watchChunkFailures: (onFailure: (error: ChunkLoadError) => void) => void;
  readonly isOnline: () => boolean;
  /** Whether a text box has the focus, so that the owner types or is about to. */
  readonly isTyping: () => boolean;
  /** Notes that this tab reloads by itself. @returns false if it has done so before. */
  readonly noteReload: () => boolean;
  readonly reload: () => void;
  readonly clock: Pick<Clock, 'after'>;
  readonly log: Log;
}

const toast = { id: 'update', durationMs: 0, isAboutApp: true };

const waitCopy: Readonly<Record<UnfinishedWork, string>> = {
  recording: 'A recording is under way. Update when it is finished.',
  writing: 'Something is written and not sent yet. Update when it is.',
  transfer: 'An export or import is under way. Update when it is finished.',
  sending: 'A voice note or picture is being sent. Update when it has arrived.',
};

const isReady = 'A new version of PawPals is ready.';

const isComing = 'The new version takes over in a few minutes, or with the next start.';

/**
 * The time after which the takeover counts as slow. It usually takes moments, and asking again would not speed it up.
 */
const takeOverMs = 8_000;

/** After this time the toasts accept the same text again. */
const repeatMs = 500;

/** The interval at which a tab with unfinished work is checked again. */
const lookAgainMs = 2_000;

/**
 * Handles new versions of the app.
 *
 * - A waiting version is announced, and takes over when the owner agrees, or else at the next start.
 * - An update interrupts no work: while any tab records, sends, exports, imports or has unsaved text, the owner is told the
 *   reason to wait.
 * - All tabs update together: each reloads once the new version is in charge.
 * - A page whose code the server no longer has, or whose browser repeats an earlier failure to load it, reloads by
 *   itself once, if that interrupts nobody. A version that waits takes over instead.
 */
export function followUpdates(deps: UpdatesDeps): void {
  const { worker, toasts, findUnfinished, reload, clock, log } = deps;
  let isWaiting = false;
  let cancelIsComing: (() => void) | undefined;

  const announce = (message: string): void => {
    const action = { label: 'Update', onSelect: agree };
    const shown = toasts.show({ ...toast, message, action });
    // The toasts ignore the same text within a moment, as for an owner who pressed at once.
    if (shown === null) clock.after(repeatMs, () => announce(message));
  };

  const applyIfIdle = async (): Promise<void> => {
    const unfinished = await findUnfinished();
    if (unfinished !== null) {
      announce(waitCopy[unfinished]);
      return;
    }
    worker.apply();
    // By then this page has reloaded, unless the old worker is still busy: browsers wait minutes for it.
    cancelIsComing?.();
    cancelIsComing = clock.after(takeOverMs, () => toasts.show({ ...toast, message: isComing }));
  };

  function agree(): void {
    applyIfIdle().catch(() => log('update-postponed'));
  }

  const reloadWhenIdle = async (): Promise<void> => {
    const unfinished = await findUnfinished();
    if (unfinished === null) reload();
    else clock.after(lookAgainMs, followReplacement);
  };

  function followReplacement(): void {
    cancelIsComing?.();
    reloadWhenIdle().catch(() => log('reload-postponed'));
  }

  const reloadOnce = async (): Promise<void> => {
    if ((await findUnfinished()) !== null || deps.isTyping()) return;
    // The old worker would answer a reload with the old page, which asks for the same missing file.
    if (isWaiting) worker.apply();
    else if (deps.noteReload()) reload();
  };

  const rescue = ({ needsReload }: ChunkLoadError): void => {
    if (!needsReload || !deps.isOnline()) return;
    reloadOnce().catch(() => log('not-reloaded'));
  };

  worker.onWaiting(() => {
    isWaiting = true;
    announce(isReady);
  });
  worker.onReplaced(followReplacement);
  deps.watchChunkFailures(rescue);
}
