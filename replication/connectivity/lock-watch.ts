import type { Clock } from '../ports.ts';
import type { OpenChannel } from '../../store/rxdb/message-channel.ts';

export interface ChannelDeps {
  readonly uid: string;
  readonly openChannel: OpenChannel;
}

export interface WatchDeps extends ChannelDeps {
  readonly clock: Pick<Clock, 'after'>;
  /** Only a tab that its owner looks at replaces a frozen holder. */
  readonly isVisible: () => boolean;
}

/** A page that is alive answers within milliseconds, also in the background, where only its timers are slow. */
export const pingEveryMs = 5_000;
/** One lost answer may be a long task; this many are a frozen page. */
export const pingsUntilFrozen = 3;

const ping = 'ping';
const pong = 'pong';

function channelName(uid: string): string {
  return `pawpals-lock:${uid}`;
}

/** Tells waiting tabs that the holder is alive. @returns a function that ends it. */
export function answerPings({ uid, openChannel }: ChannelDeps): () => void {
  const channel = openChannel(channelName(uid));
  channel.listen((message) => {
    if (message === ping) channel.post(pong);
  });
  return () => channel.close();
}

/**
 * Asks the holder for a sign of life while this tab is visible.
 * @param onFrozen called once, when several questions in a row had no answer.
 * @returns a function that ends it.
 */
export function watchHolder(deps: WatchDeps, onFrozen: () => void): () => void {
  const channel = deps.openChannel(channelName(deps.uid));
  let unanswered = 0;
  let cancel: (() => void) | null = null;
  channel.listen((message) => {
    if (message === pong) unanswered = 0;
  });
  const end = (): void => {
    cancel?.();
    channel.close();
  };
  const ask = (): void => {
    if (unanswered === pingsUntilFrozen) {
      end();
      onFrozen();
      return;
    }
    if (deps.isVisible()) {
      unanswered += 1;
      channel.post(ping);
    } else {
      unanswered = 0;
    }
    cancel = deps.clock.after(pingEveryMs, ask);
  };
  cancel = deps.clock.after(pingEveryMs, ask);
  return end;
}
