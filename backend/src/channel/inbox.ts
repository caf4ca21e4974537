import type { ForwardMessages } from './frames.ts';

const maxHeld = 1000;
/**
 * - It delivers each message once and in the order of the numbers, in whichever requests they arrive: browsers retry a
 *   request whose socket died, and send several in parallel.
 * - Messages after a gap, and those before the session is open, are held encoded: parsed they can take ten times the room.
 * - A request is counted as a whole while any message of it is held, because a part of it keeps all of it in memory.
 *
 * @param onChange is called when that size changes.
 */
export function createInbox(onChange: () => void = () => undefined) {
  let next = 0;
  const waiting = new Map<
    number,
    { readonly message: Buffer; readonly request: ForwardMessages }
  >();
  let heldBytes = 0;
  return {
    /** Returns the size of the requests with held messages in bytes. */
    bytes: () => heldBytes,
    receive(request: ForwardMessages) {
      for (const [at, message] of request.messages.entries()) {
        const number = request.offset + at;
        if (number >= next && !waiting.has(number)) waiting.set(number, { message, request });
      }
    },
    /** Removes and returns the next message; undefined while it has not arrived. */
    take() {
      const message = waiting.get(next)?.message;
      if (message === undefined) return undefined;
      waiting.delete(next);
      next++;
      return message;
    },
    /** Gives up all messages that were not taken. */
    clear: () => waiting.clear(),
    /** Ends the receipt of a request and holds the messages that were not taken. Returns false when they are too many. */
    hold() {
      heldBytes = 0;
      for (const request of new Set(Array.from(waiting.values(), (each) => each.request))) {
        heldBytes += request.bytes;
      }
      onChange();
      return waiting.size <= maxHeld;
    },
  };
}
