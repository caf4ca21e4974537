export interface MessageQueueDeps<Message> {
  /** Handles a message. It returns a promise where the message waits for a turn or the sending of a long answer. */
  readonly take: (message: Message) => Promise<void> | void;
  /** Called with the error of a message that failed asynchronously. */
  readonly fail: (error: unknown) => void;
  /** The messages that may wait for an earlier one. Others stay encoded, since the parsed ones may take megabytes. */
  readonly maxWaiting: number;
}

/**
 * Handles messages one after the other: while one waits, later ones wait, so a removal follows its addition.
 */
export function createMessageQueue<Message>({ take, fail, maxWaiting }: MessageQueueDeps<Message>) {
  let waiting: Message[] = [];
  let working: Promise<void> | undefined;

  const work = async (taken: Promise<void>) => {
    try {
      await taken;
      for (let message = waiting.shift(); message !== undefined; message = waiting.shift()) {
        await take(message);
      }
    } catch (error) {
      fail(error);
    }
    working = undefined;
  };

  return {
    /** @throws what the handling of the message throws at once. */
    take(message: Message) {
      if (working !== undefined) {
        waiting.push(message);
        return;
      }
      const taken = take(message);
      if (taken !== undefined) working = work(taken);
    },
    /** Returns a promise when no more may wait, which resolves when none does. */
    drained: () => (waiting.length < maxWaiting ? undefined : working),
    /** Drops the messages that wait. */
    stop() {
      waiting = [];
    },
  };
}
