import type { AudioDecoder } from '../../../functions/src/speech/audio-decoder.ts';
import { createListener, type Listener } from '../../../functions/src/speech/listener.ts';
import type {
  Audio,
  TranscriptionResult,
  SpeechHints,
} from '../../../functions/src/speech/speech-engine.ts';

/** The decoder of a machine on which no decoder is installed. */
export const noDecoder: AudioDecoder = { decode: async () => ({ kind: 'missing' }) };

export interface Asked {
  readonly audio: Pick<Audio, 'bytes' | 'type'>;
  readonly hints: SpeechHints;
  readonly signal: AbortSignal;
}

/** An engine that gives the answer that a test sets, and records the requests. */
export interface FakeListener {
  readonly listener: Listener;
  readonly asked: Asked[];
  answer: (asked: Asked) => Promise<TranscriptionResult>;
}

export function createFakeListener(text = 'a walk in the woods'): FakeListener {
  const asked: Asked[] = [];
  const fake: FakeListener = {
    asked,
    answer: async () => ({ kind: 'text', text }),
    listener: createListener(
      {
        name: 'fake',
        transcribe: ({ bytes, type }, hints, signal) => {
          const question = { audio: { bytes, type }, hints, signal };
          asked.push(question);
          return fake.answer(question);
        },
      },
      noDecoder,
    ),
  };
  return fake;
}
