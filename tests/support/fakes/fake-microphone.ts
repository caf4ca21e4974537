import type {
  Microphone,
  OpenMicrophone,
  RecordingEvents,
} from '../../../src/platform/media/microphone.ts';

export interface FakeMicrophone {
  readonly open: OpenMicrophone;
  /** Hands over a piece. */
  readonly speak: (text: string) => void;
  /** As a call does, or a pulled headset. */
  readonly end: () => void;
  /** The next time, it is not to be had. */
  readonly failWith: (error: Error) => void;
}

/** A microphone that says what a test has it say. */
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
