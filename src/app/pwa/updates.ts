import type { Clock, Log } from '../../../replication/ports.ts';
import type { ChunkFailure, ChunkLoadError } from '../../lib/async/load-chunk.ts';
import type { Toasts } from '../../lib/toasts.ts';
import type { UnfinishedWork } from './unfinished-work.ts';

/** The worker of the next version of the app, as a page sees it. */
export interface AppWorker {
  /** A new version is on this device and waits. */
  readonly onWaiting: (then: () => void) => void;
  /** It has taken over from another, in this tab or because of another one. */
  readonly onReplaced: (then: () => void) => void;
  /** Lets it take over. */
  readonly apply: () => void;
}

export interface UpdatesDeps {
  readonly worker: AppWorker;
  readonly toasts: Pick<Toasts, 'show'>;
  /** In any tab. */
  readonly findUnfinished: () => Promise<UnfinishedWork | null>;
  readonly watchChunkFailures: (onFailure: (error: ChunkLoadError) => void) => void;
  readonly isOnline: () => boolean;
  /** A text box has the focus: its owner types, or is about to. */
  readonly isTyping: () => boolean;
  /** Notes that this tab reloads by itself. @returns false if it has done so before. */
  readonly noteReload: () => boolean;
  readonly reload: () => void;
  readonly clock: Pick<Clock, 'after'>;
  readonly log: Log;
}

const toastId = 'update';

const waitWords: Readonly<Record<UnfinishedWork, string>> = {
  recording: 'A recording is under way. Update when it is finished.',
  writing: 'Something is written and not sent yet. Update when it is.',
  sending: 'A voice note or picture is being sent. Update when it has arrived.',
};

const isReady = 'A new version of PawPals is ready.';

const isComing = 'The new version takes over in a few minutes, or with the next start.';

const needReload: ReadonlySet<ChunkFailure> = new Set(['missing', 'remembered']);

/** A new version takes over within moments, most often. Asking again would not bring it sooner. */
const takeOverMs = 8_000;

/** By then the same words may be shown again. */
const repeatMs = 500;

/** How long a tab that is at work is left alone before it is looked at again. */
const lookAgainMs = 2_000;

/**
 * New versions of the app.
 *
 * - One that waits is announced, and taken when the owner agrees; else it comes with the next start by itself.
 * - Nobody is interrupted: while any tab records, sends or has something written, the owner is told what to wait for.
 * - All tabs take it together: each reloads once the new version is in charge.
 * - A page whose code the server has no longer, or whose browser repeats an earlier failure to load it, reloads by itself
 *   once, if it interrupts nobody.
 */
export function followUpdates(deps: UpdatesDeps): void {
  const { worker, toasts, findUnfinished, reload, clock, log } = deps;

  const announce = (message: string): void => {
    const action = { label: 'Update', onSelect: agree };
    const shown = toasts.show({ id: toastId, message, durationMs: 0, action });
    // The same words were shown a moment ago, to an owner who pressed at once.
    if (shown === null) clock.after(repeatMs, () => announce(message));
  };

  const applyIfIdle = async (): Promise<void> => {
    const unfinished = await findUnfinished();
    if (unfinished !== null) {
      announce(waitWords[unfinished]);
      return;
    }
    worker.apply();
    // This page is gone by then, unless the old worker is still at work: browsers wait for it, minutes.
    clock.after(takeOverMs, () => toasts.show({ id: toastId, message: isComing, durationMs: 0 }));
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
    reloadWhenIdle().catch(() => log('reload-postponed'));
  }

  const reloadOnce = async (): Promise<void> => {
    if ((await findUnfinished()) === null && !deps.isTyping() && deps.noteReload()) reload();
  };

  const rescue = ({ reason }: ChunkLoadError): void => {
    if (!needReload.has(reason) || !deps.isOnline()) return;
    reloadOnce().catch(() => log('not-reloaded'));
  };

  worker.onWaiting(() => announce(isReady));
  worker.onReplaced(followReplacement);
  deps.watchChunkFailures(rescue);
}
