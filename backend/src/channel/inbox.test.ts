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
          return inbox.receive(start, messages.slice(start, start + length)) ?? ['lost'];
        });
        expect(seen).toEqual(messages.slice(0, seen.length));
        expect([...seen, ...(inbox.receive(0, messages) ?? [])]).toEqual(messages);
      }),
    );
  });

  it('keeps nothing of what is sent again', () => {
    const inbox = createInbox();
    const messages = Array.from({ length: 1500 }, (_, at) => at);
    expect(inbox.receive(0, messages)).toEqual(messages);
    expect(inbox.receive(0, messages)).toEqual([]);
    expect(inbox.receive(1500, ['next'])).toEqual(['next']);
  });

  it('refuses a client that is impossibly far ahead', () => {
    const inbox = createInbox();
    const messages = Array.from({ length: 1001 }, () => 'x');
    expect(inbox.receive(1, messages)).toBeUndefined();
  });
});
