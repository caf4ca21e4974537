import { createStore } from 'jotai';
import { afterEach, expect, it, vi } from 'vitest';
import { soundOutputAtom } from './sound-output.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** An audio element that has read a recording without a length, as a `MediaRecorder` writes it. */
class FakeAudio extends EventTarget {
  readonly duration = Infinity;
  readonly seekable: { readonly length: number };
  readonly positions: number[] = [];
  readonly sizes: number[] = [];

  constructor(seekableRanges: number) {
    super();
    this.seekable = { length: seekableRanges };
  }

  pause(): void {}

  set src(url: string) {
    this.sizes.push(Number(url));
    queueMicrotask(() => this.dispatchEvent(new Event('loadedmetadata')));
  }

  set currentTime(seconds: number) {
    this.positions.push(seconds);
    queueMicrotask(() => this.dispatchEvent(new Event('durationchange')));
  }
}

/** The head of a WebM file, without a length. */
const info = [
  0x15, 0x49, 0xa9, 0x66, 0x01, 0, 0, 0, 0, 0, 0, 7, 0x2a, 0xd7, 0xb1, 0x83, 0x0f, 0x42, 0x40,
];
const recording = new Uint8Array(info).buffer;

async function load(audio: FakeAudio, durationMs?: number): Promise<void> {
  vi.useFakeTimers();
  vi.stubGlobal('Audio', function Audio() {
    return audio;
  });
  vi.stubGlobal('URL', {
    createObjectURL: ({ size }: Blob) => String(size),
    revokeObjectURL: () => undefined,
  });
  const events = { onChange: () => undefined, onEnded: () => undefined };
  const output = createStore().get(soundOutputAtom).open(events);
  // No timer runs: a load that waits for one never resolves.
  await output.load({ bytes: recording, contentType: 'audio/webm' }, durationMs);
}

it('a recording without a length plays at once where nothing is seekable, as in Firefox', async () => {
  const audio = new FakeAudio(0);
  await load(audio);
  expect(audio).toMatchObject({ positions: [], sizes: [19] });
});

it('there it is read once more with its length, as it was measured, so that it can be sought', async () => {
  const audio = new FakeAudio(0);
  await load(audio, 6_000);
  expect(audio).toMatchObject({ positions: [], sizes: [19, 30] });
});

it('a recording without a length is sought to its end where that finds it, as in Chromium', async () => {
  const audio = new FakeAudio(1);
  await load(audio);
  expect(audio.positions).toEqual([1e7, 0]);
});
