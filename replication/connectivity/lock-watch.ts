import type { Clock } from '../ports.ts';
import type { OpenChannel } from '../../store/rxdb/message-channel.ts';

export interface ChannelDeps {
  readonly uid: string;
  readonly openChannel: OpenChannel;
}

export interface WatchDeps extends ChannelDeps {
  readonly clock: Pick<Clock, 'after'>;
  /** Whether the owner sees this tab: only a visible tab replaces a frozen holder. */
  readonly isVisible: () => boolean;
}

/** A live page answers within milliseconds, also in the background, where only its timers are throttled. */
export const pingEveryMs = 5_000;
/** A single missing answer may be a long task; this many mean a frozen page. */
export const pingsUntilFrozen = 3;

const ping = 'ping';
const pong = 'pong';

function channelName(uid: string): string {
  return `pawpals-lock:${uid}`;
}

/**
 * Answers the pings of waiting tabs. It begins with an answer, so that no second one replaces a holder that has just
 * replaced a frozen one. @returns a function that stops it.
 */
export function answerPings({ uid, openChannel }: ChannelDeps): () => void {
  const channel = openChannel(channelName(uid));
  channel.listen((message) => {
    if (message === ping) channel.post(pong);
  });
  channel.post(pong);
  return () => channel.close();
}

/** Pings the holder once. @param onAnswer called when it answers. @returns a function that stops listening. */
export function pingHolder({ uid, openChannel }: ChannelDeps, onAnswer: () => void): () => void {
  const channel = openChannel(channelName(uid));
  channel.listen((message) => {
    if (message === pong) onAnswer();
  });
  channel.post(ping);
  return () => channel.close();
}

/**
 * Pings the holder while this tab is visible. @param onFrozen called once, after several consecutive pings without an
 * answer.
 * @returns a function that stops it.
 */
export function watchHolder(deps: WatchDeps, onFrozen: () => void): () => void {
  const channel = deps.openChannel(channelName(deps.uid));
  let unanswered = 0;
  channel.listen((message) => {
    if (message === pong) unanswered = 0;
  });
  const end = (): void => {
    cancel();
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
  let cancel = deps.clock.after(pingEveryMs, ask);
  return end;
}
