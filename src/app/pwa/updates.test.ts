import { describe, expect, it, vi } from 'vitest';
import { createFakeClock, settlePromises } from '../../../tests/support/fakes/fake-clock.ts';
import { ChunkLoadError } from '../../lib/async/load-chunk.ts';
import type { ToastRequest } from '../../platform/toasts.ts';
import type { UnfinishedWork } from './unfinished-work.ts';
import { followUpdates } from './updates.ts';

function setUp() {
  const clock = createFakeClock();
  const shown: ToastRequest[] = [];
  const calls: string[] = [];
  const state = {
    unfinished: null as UnfinishedWork | null,
    isTyping: false,
    isOnline: true,
    hasReloaded: false,
    isRepeated: false,
  };
  const signals: Record<string, () => void> = {};
  let fail: (error: ChunkLoadError) => void = () => undefined;
  followUpdates({
    worker: {
      onWaiting: (then) => (signals['waiting'] = then),
      onReplaced: (then) => (signals['replaced'] = then),
      apply: () => calls.push('apply'),
    },
    toasts: {
      show: (request) => {
        if (state.isRepeated) return null;
        shown.push(request);
        return 'update';
      },
    },
    findUnfinished: async () => state.unfinished,
    watchChunkFailures: (onFailure) => (fail = onFailure),
    isOnline: () => state.isOnline,
    isTyping: () => state.isTyping,
    noteReload: () => {
      if (state.hasReloaded) return false;
      state.hasReloaded = true;
      return true;
    },
    reload: () => calls.push('reload'),
    clock,
    log: vi.fn<(event: string) => void>(),
  });
  return {
    clock,
    shown,
    calls,
    state,
    signal: async (name: 'waiting' | 'replaced') => {
      signals[name]?.();
      await settlePromises();
    },
    agree: async () => {
      shown.at(-1)?.action?.onSelect();
      await settlePromises();
    },
    fail: async (reason: ChunkLoadError['reason']) => {
      fail(new ChunkLoadError('help', reason));
      await settlePromises();
    },
  };
}

describe('a new version', () => {
  it('is announced, and taken when the owner agrees', async () => {
    const page = setUp();
    await page.signal('waiting');
    expect(page.shown).toMatchObject([
      { message: 'A new version of PawPals is ready.', durationMs: 0, action: { label: 'Update' } },
    ]);
    expect(page.calls).toEqual([]);
    await page.agree();
    expect(page.calls).toEqual(['apply']);
    await page.signal('replaced');
    expect(page.calls).toEqual(['apply', 'reload']);
  });

  it.each([
    ['recording', 'A recording is under way. Update when it is finished.'],
    ['transfer', 'An export or import is under way. Update when it is finished.'],
    ['writing', 'Something is written and not sent yet. Update when it is.'],
    ['sending', 'A voice note or picture is being sent. Update when it has arrived.'],
  ] as const)('waits while there is %s, and says so', async (unfinished, words) => {
    const page = setUp();
    page.state.unfinished = unfinished;
    await page.signal('waiting');
    await page.agree();
    expect(page.calls).toEqual([]);
    expect(page.shown.at(-1)).toMatchObject({ message: words, action: { label: 'Update' } });
    page.state.unfinished = null;
    await page.agree();
    expect(page.calls).toEqual(['apply']);
  });

  it('is announced again after words that were a repetition', async () => {
    const page = setUp();
    page.state.isRepeated = true;
    await page.signal('waiting');
    expect(page.shown).toEqual([]);
    page.state.isRepeated = false;
    await page.clock.advance(500);
    expect(page.shown).toHaveLength(1);
  });

  it('is reported as coming if it does not take over at once', async () => {
    const page = setUp();
    await page.signal('waiting');
    await page.agree();
    expect(page.shown).toHaveLength(1);
    await page.clock.advance(8_000);
    expect(page.shown).toHaveLength(2);
    expect(page.shown[1]?.message).toContain('in a few minutes, or with the next start');
    expect(page.shown[1]?.action).toBeUndefined();
    expect(page.calls).toEqual(['apply']);
  });

  it('is not reported as coming once it has taken over, while this tab still waits', async () => {
    const page = setUp();
    await page.signal('waiting');
    await page.agree();
    page.state.unfinished = 'writing';
    await page.signal('replaced');
    await page.clock.advance(10_000);
    expect(page.shown).toHaveLength(1);
  });

  it('does not interrupt this tab if another tab has taken it', async () => {
    const page = setUp();
    page.state.unfinished = 'recording';
    await page.signal('replaced');
    await page.clock.advance(10_000);
    expect(page.calls).toEqual([]);
    page.state.unfinished = null;
    await page.clock.advance(2_000);
    expect(page.calls).toEqual(['reload']);
  });
});

describe('code that only a reload brings', () => {
  it.each(['missing', 'remembered'] as const)('reloads the page, once: %s', async (reason) => {
    const page = setUp();
    await page.fail(reason);
    await page.fail(reason);
    expect(page.calls).toEqual(['reload']);
  });

  it('lets a version that waits take over instead, since the old worker has the same page again', async () => {
    const page = setUp();
    await page.signal('waiting');
    page.state.unfinished = 'writing';
    await page.fail('missing');
    page.state.unfinished = null;
    page.state.isTyping = true;
    await page.fail('missing');
    expect(page.calls).toEqual([]);
    page.state.isTyping = false;
    await page.fail('missing');
    expect(page.calls).toEqual(['apply']);
    // The reload under the new worker is not the one that a page makes by itself.
    expect(page.state.hasReloaded).toBe(false);
    await page.signal('replaced');
    expect(page.calls).toEqual(['apply', 'reload']);
  });

  it.each(['timeout', 'error'] as const)('is not what %s means', async (reason) => {
    const page = setUp();
    await page.fail(reason);
    expect(page.calls).toEqual([]);
  });

  it('never reloads without a connection', async () => {
    const page = setUp();
    page.state.isOnline = false;
    await page.fail('missing');
    expect(page.calls).toEqual([]);
  });

  it('never reloads while a text box has the focus, even an empty one', async () => {
    const page = setUp();
    page.state.isTyping = true;
    await page.fail('missing');
    expect(page.calls).toEqual([]);
    page.state.isTyping = false;
    await page.fail('missing');
    expect(page.calls).toEqual(['reload']);
  });

  it.each(['recording', 'writing', 'sending'] as const)(
    'never reloads during %s',
    async (unfinished) => {
      const page = setUp();
      page.state.unfinished = unfinished;
      await page.fail('missing');
      expect(page.calls).toEqual([]);
      expect(page.state.hasReloaded).toBe(false);
    },
  );
});
