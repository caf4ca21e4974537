import type { ForwardMessage } from './frames.ts';

/**
 * - It delivers each message once and in the order of the numbers, in whichever requests they arrive: browsers retry a
 *   request whose socket died, and send several in parallel.
 * - Messages after a gap, and those before the session is open, are held as text: parsed they can take ten times the room.
 * - Held messages are counted in bytes, and are copies, because a substring keeps the whole request in memory.
 */
export interface Inbox {
  receive(offset: number, messages: readonly ForwardMessage[]): void;
  /** Removes and returns the next message; undefined while it has not arrived. */
  take(): ForwardMessage | undefined;
  /** Ends the receipt of a request and holds the messages that were not taken. Returns false when they are too many. */
  hold(): boolean;
  /** Returns the size of the held messages in bytes. */
  bytes(): number;
}

const maxHeld = 1000;
const bytesPerChar = 2;

const bytesOf = (message: ForwardMessage): number =>
  typeof message === 'string' ? message.length * bytesPerChar : 0;

const copyOf = (message: ForwardMessage): ForwardMessage =>
  typeof message === 'string' ? Buffer.from(message, 'utf16le').toString('utf16le') : message;

/** @param onChange is called when the size of the held messages changes. */
export function createInbox(onChange: () => void = () => undefined): Inbox {
  let next = 0;
  const waiting = new Map<number, ForwardMessage>();
  let fresh: number[] = [];
  let heldBytes = 0;
  return {
    bytes: () => heldBytes,
    receive(offset, messages) {
      for (const [at, message] of messages.entries()) {
        const number = offset + at;
        if (number < next || waiting.has(number)) continue;
        waiting.set(number, message);
        fresh.push(number);
      }
    },
    take() {
      const message = waiting.get(next);
      if (message === undefined) return undefined;
      waiting.delete(next);
      next++;
      return message;
    },
    hold() {
      heldBytes = 0;
      for (const message of waiting.values()) heldBytes += bytesOf(message);
      onChange();
      if (waiting.size > maxHeld) return false;
      for (const number of fresh) {
        const message = waiting.get(number);
        if (message !== undefined) waiting.set(number, copyOf(message));
      }
      fresh = [];
      return true;
    },
  };
}
