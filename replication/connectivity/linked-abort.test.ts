import { describe, expect, it } from 'vitest';
import { linkAbort } from './linked-abort.ts';

describe('a linked abort', () => {
  it('D11.4 follows each of its signals, also one that was aborted before', () => {
    const one = new AbortController();
    const other = new AbortController();
    const linked = linkAbort(one.signal, other.signal);
    expect(linked.signal.aborted).toBe(false);
    other.abort();
    expect(linked.signal.aborted).toBe(true);
    expect(linkAbort(one.signal, other.signal).signal.aborted).toBe(true);
  });

  it('D11.4 can be aborted by itself, and unlinked', () => {
    const one = new AbortController();
    const linked = linkAbort(one.signal);
    linked.abort();
    expect(linked.signal.aborted).toBe(true);
    expect(one.signal.aborted).toBe(false);
    const unlinked = linkAbort(one.signal);
    unlinked.unlink();
    one.abort();
    expect(unlinked.signal.aborted).toBe(false);
  });
});
