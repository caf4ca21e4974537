import type { JsonObject } from '../../json.ts';
import { FirestoreError } from '../firestore-error.ts';

export interface MessageQueue {
  /** @throws what the handling of the message throws at once, and RESOURCE_EXHAUSTED when too many messages wait. */
  take(message: JsonObject): void;
  /** Drops the messages that wait. */
  stop(): void;
}

export interface MessageQueueDeps {
  /** Handles a message. It returns a promise where the message waits for a turn, an index or the sending of a long answer. */
  readonly take: (message: JsonObject) => Promise<void> | void;
  /** Called with the error of a message that failed asynchronously. */
  readonly fail: (error: unknown) => void;
}

/** The most messages that wait for an earlier one; the SDK sends one for each listener. */
const maxWaiting = 500;

/**
 * Handles messages one after the other: while one waits, later ones wait, so a removal follows its addition.
 */
export function createMessageQueue({ take, fail }: MessageQueueDeps): MessageQueue {
  let waiting: JsonObject[] = [];
  let isBusy = false;

  const work = async (taken: Promise<void>) => {
    isBusy = true;
    try {
      await taken;
      for (let message = waiting.shift(); message !== undefined; message = waiting.shift()) {
        await take(message);
      }
    } catch (error) {
      fail(error);
    }
    isBusy = false;
  };

  return {
    take(message) {
      if (!isBusy) {
        const taken = take(message);
        if (taken !== undefined) void work(taken);
        return;
      }
      if (waiting.length >= maxWaiting) {
        throw new FirestoreError('RESOURCE_EXHAUSTED', 'Too many messages wait on one stream.');
      }
      waiting.push(message);
    },
    stop() {
      waiting = [];
    },
  };
}
