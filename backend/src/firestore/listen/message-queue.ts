import type { JsonObject } from '../../json.ts';
import { FirestoreError } from '../firestore-error.ts';

export interface MessageQueue {
  /** @throws what the handling of the message throws at once, and RESOURCE_EXHAUSTED when too many messages wait. */
  take(message: JsonObject): void;
  /** Drops the messages that wait. */
  stop(): void;
}

export interface MessageQueueDeps {
  /** Handles a message. It returns a promise where the message waits for an index or has a long answer. */
  readonly take: (message: JsonObject) => Promise<void> | void;
  /** Handles a message in a turn of the event loop of its own. */
  readonly takeLater: (message: JsonObject) => Promise<void>;
  /** Called with the error of a message that failed asynchronously. */
  readonly fail: (error: unknown) => void;
}

/** The SDK sends a few targets at once. Each takes a millisecond or two at worst. */
const maxAtOnce = 8;
/** The most messages that wait for an earlier one; the SDK sends one for each listener. */
const maxWaiting = 500;

/**
 * Handles messages one after the other: while one waits for an index or sends a long answer, later ones wait, so a removal
 * follows its addition. The first few messages of a turn of the event loop are handled at once and each later one in a turn of
 * its own, because one request can carry hundreds.
 */
export function createMessageQueue({ take, takeLater, fail }: MessageQueueDeps): MessageQueue {
  let waiting: JsonObject[] = [];
  let isBusy = false;
  let takenAtOnce = 0;

  const work = async (taken?: Promise<void>) => {
    isBusy = true;
    try {
      await taken;
      for (let message = waiting.shift(); message !== undefined; message = waiting.shift()) {
        await takeLater(message);
      }
    } catch (error) {
      fail(error);
    }
    isBusy = false;
  };

  const mayTakeAtOnce = (): boolean => {
    if (isBusy || takenAtOnce === maxAtOnce) return false;
    if (takenAtOnce === 0) setImmediate(() => (takenAtOnce = 0));
    takenAtOnce++;
    return true;
  };

  return {
    take(message) {
      if (mayTakeAtOnce()) {
        const taken = take(message);
        if (taken !== undefined) void work(taken);
        return;
      }
      if (waiting.length >= maxWaiting) {
        throw new FirestoreError('RESOURCE_EXHAUSTED', 'Too many messages wait on one stream.');
      }
      waiting.push(message);
      if (!isBusy) void work();
    },
    stop() {
      waiting = [];
    },
  };
}
