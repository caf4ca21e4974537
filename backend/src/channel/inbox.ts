/**
 * - Hands over each message once and in the order of its number, whatever the order and number of
 *   requests it arrives in: browsers send a request again whose socket died, and several in parallel.
 * - Messages after a gap are held until it is filled, up to a limit.
 */
export interface Inbox {
  /** Messages that are now due, in order; undefined when the client is impossibly far ahead. */
  receive(offset: number, messages: readonly unknown[]): readonly unknown[] | undefined;
}

const MAX_HELD = 1000;

export function createInbox(): Inbox {
  let next = 0;
  const held = new Map<number, unknown>();
  return {
    receive(offset, messages) {
      for (const [at, message] of messages.entries()) {
        if (offset + at >= next) held.set(offset + at, message);
      }
      const due: unknown[] = [];
      while (held.has(next)) {
        due.push(held.get(next));
        held.delete(next);
        next++;
      }
      return held.size > MAX_HELD ? undefined : due;
    },
  };
}
