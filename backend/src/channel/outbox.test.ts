import { describe, expect, it } from 'vitest';
import { createOutbox } from './outbox.ts';

const idsAfter = (outbox: ReturnType<typeof createOutbox>, id: number) =>
  outbox.after(id, Infinity).map((each) => each.id);

function filled() {
  const outbox = createOutbox();
  for (const payload of ['a', 'b', 'c']) outbox.push(payload);
  return outbox;
}

describe('the outbox', () => {
  it('removes acknowledged messages once, and keeps the rest', () => {
    const outbox = filled();
    expect([outbox.lastId(), outbox.chars()]).toEqual([3, 9]);
    for (const id of [2, 2, 1]) outbox.acknowledge(id);
    expect(outbox.chars()).toBe(3);
    expect(idsAfter(outbox, 0)).toEqual([3]);
    outbox.acknowledge(99);
    expect([outbox.lastId(), outbox.chars(), idsAfter(outbox, 0)]).toEqual([3, 0, []]);
    outbox.push('d');
    expect(idsAfter(outbox, 3)).toEqual([4]);
  });

  it('hands out at least one message, and no more than asked for after it', () => {
    const outbox = filled();
    expect(outbox.after(0, 1).map((each) => each.id)).toEqual([1]);
    expect(outbox.after(1, 4).map((each) => each.id)).toEqual([2, 3]);
    expect(outbox.after(3, 100)).toEqual([]);
  });
});
