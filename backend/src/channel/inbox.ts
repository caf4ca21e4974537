import type { ForwardMessage } from './frames.ts';

/**
 * - Hands over each message once and in the order of its number, whatever the order and number of
 *   requests it arrives in: browsers send a request again whose socket died, and several in parallel.
 * - Messages after a gap, and those before the session is open, are held as text: parsed they can take ten times the room.
 * - Held messages are counted in bytes, and are copies: a part of a string keeps the whole request in memory.
 */
export interface Inbox {
  receive(offset: number, messages: readonly ForwardMessage[]): void;
  /** Takes out the next message; undefined while it has not come. */
  take(): ForwardMessage | undefined;
  /** Ends the receipt of a request: what is not taken now is held. False when it is too many. */
  hold(): boolean;
  /** Counts the held messages. */
  bytes(): number;
}

const MAX_HELD = 1000;
const BYTES_PER_CHAR = 2;

const bytesOf = (message: ForwardMessage): number =>
  typeof message === 'string' ? message.length * BYTES_PER_CHAR : 0;

const copyOf = (message: ForwardMessage): ForwardMessage =>
  typeof message === 'string' ? Buffer.from(message, 'utf16le').toString('utf16le') : message;

/** `onChange` is told when the held content grew or shrank. */
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
      if (waiting.size > MAX_HELD) return false;
      for (const number of fresh) {
        const message = waiting.get(number);
        if (message !== undefined) waiting.set(number, copyOf(message));
      }
      fresh = [];
      return true;
    },
  };
}
