import type { OutgoingMessage } from './frames.ts';

/** Messages not yet acknowledged, numbered from 1 without a gap; noops are numbered too. */
export interface Outbox {
  push(payload: unknown): void;
  /** Forgets everything up to and including the id. */
  acknowledge(id: number): void;
  /** Messages after the id, up to about `maxChars` (at least one if there is any). */
  after(id: number, maxChars: number): readonly OutgoingMessage[];
  lastId(): number;
  /** The length of everything kept. */
  chars(): number;
}

/** `onChange` is told when the content grew or shrank. */
export function createOutbox(onChange: () => void = () => undefined): Outbox {
  let messages: OutgoingMessage[] = [];
  let lastId = 0;
  let chars = 0;
  return {
    push(payload) {
      const text = JSON.stringify(payload);
      messages.push({ id: ++lastId, text });
      chars += text.length;
      onChange();
    },
    acknowledge(id) {
      const first = messages[0]?.id ?? lastId + 1;
      if (id < first) return;
      let freed = 0;
      for (const each of messages.slice(0, id - first + 1)) freed += each.text.length;
      messages = messages.slice(id - first + 1);
      chars -= freed;
      onChange();
    },
    after(id, maxChars) {
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
    chars: () => chars,
  };
}
