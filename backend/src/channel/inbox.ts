const maxHeld = 1000;
/**
 * - It delivers each message once and in the order of the numbers, in whichever requests they arrive: browsers retry a
 *   request whose socket died, and send several in parallel.
 * - Messages after a gap, and those before the session is open, are held encoded: parsed they can take ten times the room.
 * - Held messages are counted, and are copies, because a part of a request keeps the whole request in memory.
 *
 * @param onChange is called when the size of the held messages changes.
 */
export function createInbox(onChange: () => void = () => undefined) {
  let next = 0;
  const waiting = new Map<number, Buffer>();
  let fresh: number[] = [];
  let heldBytes = 0;
  return {
    /** Returns the size of the held messages in bytes. */
    bytes: () => heldBytes,
    receive(offset: number, messages: readonly Buffer[]) {
      for (const [at, message] of messages.entries()) {
        const number = offset + at;
        if (number < next || waiting.has(number)) continue;
        waiting.set(number, message);
        fresh.push(number);
      }
    },
    /** Removes and returns the next message; undefined while it has not arrived. */
    take() {
      const message = waiting.get(next);
      if (message === undefined) return undefined;
      waiting.delete(next);
      next++;
      return message;
    },
    /** Ends the receipt of a request and holds the messages that were not taken. Returns false when they are too many. */
    hold() {
      heldBytes = 0;
      for (const message of waiting.values()) heldBytes += message.length;
      onChange();
      if (waiting.size > maxHeld) return false;
      for (const number of fresh) {
        const message = waiting.get(number);
        if (message !== undefined) waiting.set(number, Buffer.from(message));
      }
      fresh = [];
      return true;
    },
  };
}
