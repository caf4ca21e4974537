import { createStore } from 'jotai';
import { afterEach, expect, it, vi } from 'vitest';
import { soundOutputAtom } from './sound-output.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** An audio element with a recording without a length, such as a `MediaRecorder` writes it. */
class FakeAudio extends EventTarget {
  readonly duration = Infinity;
  readonly seekable: { readonly length: number };
  readonly positions: number[] = [];

  private readonly answers: boolean;

  constructor(seekableRanges: number, answers = true) {
    super();
    this.answers = answers;
    this.seekable = { length: seekableRanges };
  }

  pause(): void {}

  set src(_url: string) {
    if (this.answers) queueMicrotask(() => this.dispatchEvent(new Event('loadedmetadata')));
  }

  set currentTime(seconds: number) {
    this.positions.push(seconds);
    queueMicrotask(() => this.dispatchEvent(new Event('durationchange')));
  }
}

async function load(audio: FakeAudio): Promise<void> {
  vi.useFakeTimers();
  vi.stubGlobal('Audio', function Audio() {
    return audio;
  });
  vi.stubGlobal('URL', { createObjectURL: () => 'blob:', revokeObjectURL: () => undefined });
  const events = { onChange: () => undefined, onEnded: () => undefined };
  const output = createStore().get(soundOutputAtom).open(events);
  // The timers do not run, so a load that waits for one never resolves.
  await output.load({ bytes: new ArrayBuffer(1), contentType: 'audio/webm' });
}

it('a recording without a length plays at once where nothing is seekable, as in Firefox', async () => {
  const audio = new FakeAudio(0);
  await load(audio);
  expect(audio.positions).toEqual([]);
});

it('a recording without a length is sought to its end where that finds it, as in Chromium', async () => {
  const audio = new FakeAudio(1);
  await load(audio);
  expect(audio.positions).toEqual([1e7, 0]);
});

it('a recording of which the browser says nothing is given up', async () => {
  const loading = load(new FakeAudio(1, false)).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await loading).toEqual(new Error('This cannot be played'));
});
