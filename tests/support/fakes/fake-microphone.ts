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
