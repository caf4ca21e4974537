import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createInbox } from './inbox.ts';

function takeAll(inbox: ReturnType<typeof createInbox>): string[] {
  const taken: string[] = [];
  for (let each = inbox.take(); each !== undefined; each = inbox.take()) taken.push(String(each));
  return taken;
}

function receiveOnly(
  inbox: ReturnType<typeof createInbox>,
  offset: number,
  texts: readonly string[],
): void {
  const messages = texts.map((each) => Buffer.from(each));
  const bytes = messages.reduce((sum, { length }) => sum + length, 0);
  inbox.receive({ offset, messages, bytes });
}

function receive(
  inbox: ReturnType<typeof createInbox>,
  offset: number,
  messages: readonly string[],
) {
  receiveOnly(inbox, offset, messages);
  const due = takeAll(inbox);
  return inbox.hold() ? due : undefined;
}

describe('the inbox', () => {
  it('hands over every message once and in order, however requests overlap and arrive', () => {
    const slice = fc.tuple(fc.nat(20), fc.nat(8));
    fc.assert(
      fc.property(fc.array(slice, { maxLength: 40 }), (slices) => {
        const inbox = createInbox();
        const messages = Array.from({ length: 30 }, (_, at) => `${at}`);
        const seen = slices.flatMap(
          ([start, length]) =>
            receive(inbox, start, messages.slice(start, start + length)) ?? ['lost'],
        );
        expect(seen).toEqual(messages.slice(0, seen.length));
        expect([...seen, ...(receive(inbox, 0, messages) ?? [])]).toEqual(messages);
        expect(inbox.bytes()).toBe(0);
      }),
    );
  });

  it('does not hold repeated messages', () => {
    const inbox = createInbox();
    const messages = Array.from({ length: 1500 }, (_, at) => `${at}`);
    expect(receive(inbox, 0, messages)).toEqual(messages);
    expect(receive(inbox, 0, messages)).toEqual([]);
    expect(receive(inbox, 1500, ['next'])).toEqual(['next']);
  });

  it('refuses a client that is impossibly far ahead', () => {
    const messages = Array.from({ length: 1001 }, () => 'x');
    expect(receive(createInbox(), 1, messages)).toBeUndefined();
  });

  it('holds messages that are not taken', () => {
    const inbox = createInbox();
    receiveOnly(inbox, 0, ['a'.repeat(400), 'é😀']);
    expect([inbox.hold(), inbox.bytes()]).toEqual([true, 406]);
    receiveOnly(inbox, 2, ['b'.repeat(100)]);
    expect([inbox.hold(), inbox.bytes()]).toEqual([true, 506]);
    expect(takeAll(inbox)).toEqual(['a'.repeat(400), 'é😀', 'b'.repeat(100)]);
  });

  it('counts a request as a whole until its last message is taken', () => {
    const inbox = createInbox();
    receiveOnly(inbox, 0, ['a'.repeat(900), 'b']);
    inbox.take();
    expect([inbox.hold(), inbox.bytes()]).toEqual([true, 901]);
    inbox.take();
    expect([inbox.hold(), inbox.bytes()]).toEqual([true, 0]);
  });

  it('counts messages that are held after a gap, and none that are taken at once', () => {
    const counted: number[] = [];
    const inbox = createInbox(() => counted.push(inbox.bytes()));
    receive(inbox, 0, ['x'.repeat(100_000)]);
    expect(counted).toEqual([0]);
    for (const at of [2, 3]) expect(receive(inbox, at, ['x'.repeat(200_000)])).toEqual([]);
    // A repeated request takes no more room.
    expect(receive(inbox, 3, ['x'.repeat(200_000)])).toEqual([]);
    expect(inbox.bytes()).toBe(400_000);
    expect(receive(inbox, 1, ['x'])?.length).toBe(3);
    expect(inbox.bytes()).toBe(0);
    expect(counted.at(-1)).toBe(0);
  });
});
