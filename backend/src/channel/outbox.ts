import type { OutgoingMessage } from './frames.ts';

/**
 * Keeps the unacknowledged messages, numbered from 1 without gaps; noops are numbered too.
 *
 * @param onChange is called when the length of the kept messages changes.
 */
export function createOutbox(onChange: () => void = () => undefined) {
  let messages: OutgoingMessage[] = [];
  let lastId = 0;
  let chars = 0;
  return {
    /** Returns the length of the message. */
    push(payload: unknown): number {
      const text = JSON.stringify(payload);
      messages.push({ id: ++lastId, text });
      chars += text.length;
      onChange();
      return text.length;
    },
    /** Removes all messages up to and including the id. */
    acknowledge(id: number) {
      const first = messages[0]?.id ?? lastId + 1;
      if (id < first) return;
      let freed = 0;
      for (const each of messages.slice(0, id - first + 1)) freed += each.text.length;
      messages = messages.slice(id - first + 1);
      chars -= freed;
      onChange();
    },
    /** Returns messages after the id, up to about `maxChars` (at least one if there is any). */
    after(id: number, maxChars: number): readonly OutgoingMessage[] {
      const first = messages[0]?.id ?? lastId + 1;
      const start = Math.max(0, id - first + 1);
      let size = 0;
      let end = start;
      for (let each = messages[end]; each !== undefined && size < maxChars; each = messages[end]) {
        size += each.text.length;
        end++;
      }
      return messages.slice(start, end);
    },
    lastId: () => lastId,
    /** Returns the length of all kept messages. */
    chars: () => chars,
  };
}
