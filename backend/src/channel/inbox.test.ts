import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createInbox } from './inbox.ts';

describe('the inbox', () => {
  it('hands over every message once and in order, however requests overlap and arrive', () => {
    const slice = fc.tuple(fc.nat(20), fc.nat(8));
    fc.assert(
      fc.property(fc.array(slice, { maxLength: 40 }), (slices) => {
        const inbox = createInbox();
        const messages = Array.from({ length: 30 }, (_, at) => at);
        const seen = slices.flatMap(([start, length]) => {
          return inbox.receive(start, messages.slice(start, start + length), length) ?? ['lost'];
        });
        expect(seen).toEqual(messages.slice(0, seen.length));
        expect([...seen, ...(inbox.receive(0, messages, 1) ?? [])]).toEqual(messages);
      }),
    );
  });

  it('keeps nothing of what is sent again', () => {
    const inbox = createInbox();
    const messages = Array.from({ length: 1500 }, (_, at) => at);
    expect(inbox.receive(0, messages, 1)).toEqual(messages);
    expect(inbox.receive(0, messages, 1)).toEqual([]);
    expect(inbox.receive(1500, ['next'], 1)).toEqual(['next']);
  });

  it('refuses a client that is impossibly far ahead', () => {
    const inbox = createInbox();
    const messages = Array.from({ length: 1001 }, () => 'x');
    expect(inbox.receive(1, messages, 1)).toBeUndefined();
  });

  it('refuses a client that piles up too much after a gap, and counts what is held', () => {
    const counted: number[] = [];
    const inbox = createInbox((chars) => counted.push(chars));
    for (const at of [1, 2, 3]) expect(inbox.receive(at, ['x'], 20_000_000)).toEqual([]);
    expect(inbox.chars()).toBe(60_000_000);
    expect(inbox.receive(0, ['x'], 20_000_000)).toEqual(['x', 'x', 'x', 'x']);
    expect(inbox.chars()).toBe(0);
    expect(counted.reduce((sum, each) => sum + each)).toBe(0);
    for (const at of [5, 6, 7]) expect(inbox.receive(at, ['x'], 20_000_000)).toEqual([]);
    expect(inbox.receive(8, ['x'], 20_000_000)).toBeUndefined();
  });
});
