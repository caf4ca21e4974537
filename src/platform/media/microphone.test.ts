import { createStore } from 'jotai';
import { afterEach, expect, it, vi } from 'vitest';
import { openMicrophoneAtom } from './microphone.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

it.each([
  ['audio/webm;codecs=opus', 500],
  ['audio/mp4;codecs=mp4a.40.2', 250],
])('asks a recorder of %s for a piece every %i ms', async (type, sliceMs) => {
  const start = vi.fn<(slice: number) => void>();
  class FakeRecorder extends EventTarget {
    static readonly isTypeSupported = (asked: string): boolean => asked === type;
    readonly mimeType = type;
    readonly start = start;
  }
  vi.stubGlobal('MediaRecorder', FakeRecorder);
  const getUserMedia = async () => ({ getTracks: () => [] });
  vi.stubGlobal('navigator', { userAgent: 'jsdom', mediaDevices: { getUserMedia } });
  const microphone = await createStore().get(openMicrophoneAtom).open();
  microphone.start({ onChunk: () => undefined, onEnded: () => undefined });
  expect(start).toHaveBeenCalledExactlyOnceWith(sliceMs);
});

it('says that the device does not work if its track ends before the recording starts', async () => {
  class EndedRecorder extends EventTarget {
    static readonly isTypeSupported = (): boolean => true;
    readonly mimeType = 'audio/webm';
    start(): void {
      throw new DOMException('The track has ended', 'InvalidStateError');
    }
  }
  vi.stubGlobal('MediaRecorder', EndedRecorder);
  const getUserMedia = async () => ({ getTracks: () => [] });
  vi.stubGlobal('navigator', { userAgent: 'jsdom', mediaDevices: { getUserMedia } });
  const microphone = await createStore().get(openMicrophoneAtom).open();
  const start = () => microphone.start({ onChunk: () => undefined, onEnded: () => undefined });
  expect(start).toThrow(expect.objectContaining({ problem: 'unavailable' }));
});

it('ends the recording at a chunk that cannot be read, and says so when it is stopped', async () => {
  const recorders = new Set<EventTarget>();
  class FakeRecorder extends EventTarget {
    static readonly isTypeSupported = (): boolean => true;
    readonly mimeType = 'audio/webm';
    state = 'recording';
    constructor() {
      super();
      recorders.add(this);
    }
    start(): void {}
    stop(): void {
      this.state = 'inactive';
      this.dispatchEvent(new Event('stop'));
    }
  }
  vi.stubGlobal('MediaRecorder', FakeRecorder);
  const getUserMedia = async () => ({ getTracks: () => [] });
  vi.stubGlobal('navigator', { userAgent: 'jsdom', mediaDevices: { getUserMedia } });
  const microphone = await createStore().get(openMicrophoneAtom).open();
  const onChunk = vi.fn<(bytes: ArrayBuffer) => void>();
  const onEnded = vi.fn<() => void>();
  microphone.start({ onChunk, onEnded });
  const record = (arrayBuffer: () => Promise<ArrayBuffer>): void => {
    const event = Object.assign(new Event('dataavailable'), { data: { arrayBuffer } });
    for (const recorder of recorders) recorder.dispatchEvent(event);
  };
  record(async () => new ArrayBuffer(1));
  record(() => Promise.reject(new DOMException('unreadable', 'NotReadableError')));
  await vi.waitFor(() => expect(onEnded).toHaveBeenCalled());
  record(async () => new ArrayBuffer(3));
  await expect(microphone.stop()).rejects.toThrow('unreadable');
  expect(onChunk.mock.calls.map(([bytes]) => bytes.byteLength)).toEqual([1]);
});

it.each(['MediaRecorder', 'mediaDevices'])(
  'asks for no permission in a browser without %s, and says what is the matter',
  async (missing) => {
    const getUserMedia = vi.fn<() => Promise<object>>(async () => ({ getTracks: () => [] }));
    if (missing !== 'MediaRecorder') vi.stubGlobal('MediaRecorder', EventTarget);
    const mediaDevices = missing === 'mediaDevices' ? {} : { mediaDevices: { getUserMedia } };
    vi.stubGlobal('navigator', { userAgent: 'jsdom', ...mediaDevices });
    const opening = createStore().get(openMicrophoneAtom).open();
    await expect(opening).rejects.toMatchObject({ problem: 'unsupported' });
    expect(getUserMedia).not.toHaveBeenCalled();
  },
);
