/**
 * - Hands over each message once and in the order of its number, whatever the order and number of
 *   requests it arrives in: browsers send a request again whose socket died, and several in parallel.
 * - Messages after a gap are held until it is filled, up to a limit of their number and of their length.
 */
export interface Inbox {
  /**
   * Messages that are now due, in order; undefined when the client is impossibly far ahead.
   * @param chars how long the messages are together
   */
  receive(
    offset: number,
    messages: readonly unknown[],
    chars: number,
  ): readonly unknown[] | undefined;
  /** The length of what came while messages were held. */
  chars(): number;
}

const MAX_HELD = 1000;
/** Several of the largest batches there can be. */
const MAX_HELD_CHARS = 64_000_000;

/** `onChange` is told by how many characters the content grew or shrank. */
export function createInbox(onChange: (chars: number) => void = () => undefined): Inbox {
  let next = 0;
  const held = new Map<number, unknown>();
  let heldChars = 0;
  return {
    chars: () => heldChars,
    receive(offset, messages, chars) {
      for (const [at, message] of messages.entries()) {
        if (offset + at >= next) held.set(offset + at, message);
      }
      const due: unknown[] = [];
      while (held.has(next)) {
        due.push(held.get(next));
        held.delete(next);
        next++;
      }
      const before = heldChars;
      heldChars = held.size === 0 ? 0 : heldChars + chars;
      onChange(heldChars - before);
      return held.size > MAX_HELD || heldChars > MAX_HELD_CHARS ? undefined : due;
    },
  };
}
