import { vi } from 'vitest';
import type { OpenSoundOutput, SoundEvents } from '../../../src/platform/media/sound-output.ts';
import type {
  Microphone,
  OpenMicrophone,
  RecordingEvents,
} from '../../../src/platform/media/microphone.ts';

export interface FakeMicrophone {
  readonly open: OpenMicrophone;
  /** Delivers a piece of the recording. */
  readonly speak: (text: string) => void;
  /** Ends the input, as a phone call or an unplugged headset does. */
  readonly end: () => void;
  /** Makes the next attempt to open the microphone fail. */
  readonly failWith: (error: Error) => void;
}

/** Creates a microphone whose input the test controls. */
export function fakeMicrophone(): FakeMicrophone {
  let events: RecordingEvents | null = null;
  let failure: Error | null = null;
  const microphone: Microphone = {
    contentType: 'audio/webm;codecs=opus',
    start: (own) => {
      events = own;
    },
    level: () => 0.5,
    stop: async () => undefined,
    close: () => undefined,
  };
  return {
    open: async () => {
      if (failure !== null) throw failure;
      return microphone;
    },
    speak: (text) => {
      const bytes = new TextEncoder().encode(text);
      events?.onChunk(bytes.buffer.slice(0, bytes.byteLength));
    },
    end: () => events?.onEnded(),
    failWith: (error) => {
      failure = error;
    },
  };
}

/** A speaker whose state tests read and change. Its sounds have 7 s, and are the text of their bytes. */
export function fakeSoundOutput() {
  const output = { loaded: '', isPlaying: false, positionMs: 0, rate: 1, canPlay: true };
  const play = vi.fn<() => Promise<void>>();
  let events: SoundEvents | null = null;
  const open: OpenSoundOutput = (own) => {
    events = own;
    const change = (isPlaying: boolean): void => {
      output.isPlaying = isPlaying;
      own.onChange();
    };
    return {
      load: async ({ bytes }) => {
        if (!output.canPlay) throw new Error('MEDIA_ERR_SRC_NOT_SUPPORTED');
        output.loaded = new TextDecoder().decode(bytes);
        output.positionMs = 0;
      },
      play: async () => {
        await play();
        change(true);
      },
      pause: () => change(false),
      isPlaying: () => output.isPlaying,
      positionMs: () => output.positionMs,
      durationMs: () => 7_000,
      seek: (ms) => {
        output.positionMs = ms;
      },
      setRate: (rate) => {
        output.rate = rate;
      },
      unload: () => {
        output.loaded = '';
      },
    };
  };
  return {
    open,
    output,
    play,
    ended: () => events?.onEnded(),
    moved: () => events?.onChange(),
  };
}
