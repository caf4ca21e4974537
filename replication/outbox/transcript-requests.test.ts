import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../tests/support/fakes/fake-clock.ts';
import { setUpLedger } from '../../tests/support/setups/ledger-setup.ts';
import { lostWith, refusedWith } from '../../tests/support/setups/outbox-setup.ts';
import { backoffCapMs } from '../connectivity/backoff.ts';
import { createTranscriptRequests } from './transcript-requests.ts';

const { signal } = new AbortController();

function setUp() {
  const clock = createFakeClock();
  let failure: Error | null = null;
  let setBackMs = 0;
  const now = () => clock.now() - setBackMs;
  const requests = createTranscriptRequests({
    ...setUpLedger().deps,
    transcriber: {
      transcribe: async () => {
        if (failure !== null) throw failure;
        return { text: 'ducks', rough: false };
      },
    },
    clock: { now },
  });
  return {
    requests,
    /** Requests a transcript. @returns the length of the pause after it; 0 for none. */
    ask: async (answer: Error | null) => {
      failure = answer;
      await requests.transcribe('path', signal).catch(() => undefined);
      return Math.max(0, requests.pausedUntilMs() - now());
    },
    setBack: (ms: number) => {
      setBackMs = ms;
    },
  };
}

const noEngine = lostWith('words-no-engine');

describe('requests for transcripts', () => {
  it.each(['words-no-engine', 'words-engine-unavailable', 'words-too-many'])(
    'O4.11 are paused after %s, longer each time, until a transcript arrives',
    async (code) => {
      const { ask } = setUp();
      const pauses = [];
      for (let count = 0; count < 4; count += 1) pauses.push(await ask(lostWith(code)));
      expect(pauses).toEqual([2_000, 4_000, 8_000, 16_000]);
      expect(await ask(null)).toBe(0);
      expect(await ask(lostWith(code))).toBe(2_000);
    },
  );

  it.each([refusedWith('words-not-audio'), lostWith('words-internal'), new Error('a defect')])(
    'O4.11 are not paused by an answer about one recording: %s',
    async (answer) => {
      const { ask } = setUp();
      expect(await ask(answer)).toBe(0);
    },
  );

  it('O4.11 go on at once after a resume, and the next pause is longer nevertheless', async () => {
    const { requests, ask } = setUp();
    await ask(noEngine);
    requests.resume();
    expect(requests.pausedUntilMs()).toBe(0);
    expect(await ask(noEngine)).toBe(4_000);
  });

  it('O4.11 are not held up by a clock that was set back', async () => {
    const { requests, ask, setBack } = setUp();
    await ask(noEngine);
    setBack(backoffCapMs);
    expect(requests.pausedUntilMs()).toBe(0);
  });

  it('O4.11 tell that there is no engine until there is one', async () => {
    const { requests, ask } = setUp();
    expect(requests.hasNoEngine()).toBe(false);
    await ask(noEngine);
    expect(requests.hasNoEngine()).toBe(true);
    await ask(lostWith('words-too-many'));
    expect(requests.hasNoEngine()).toBe(false);
    await ask(noEngine);
    await ask(null);
    expect(requests.hasNoEngine()).toBe(false);
  });
});
