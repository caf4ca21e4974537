import { expect, it, vi } from 'vitest';
import type { AudioDecoder } from '../../functions/src/speech/audio-decoder.ts';
import { createListener } from '../../functions/src/speech/listener.ts';
import {
  createWhisperSpeech,
  type WhisperSpeechDeps,
} from '../../functions/src/speech/whisper-speech.ts';
import { noDecoder } from '../support/fakes/listeners.ts';
import { silentWav, toneWav } from '../support/fixtures/sounds.ts';
import { describeSpeechEngine, hints } from './speech-engine.ts';

const speech = { bytes: toneWav(), type: 'wav' } as const;
const silence = { bytes: silentWav(), type: 'wav' } as const;
const signal = new AbortController().signal;

/** Decodes the WAV files that these tests make. */
const decoder: AudioDecoder = {
  decode: async (bytes) => {
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const samples = new Int16Array((bytes.length - 44) / 2);
    return { kind: 'samples', samples: samples.map((_, at) => view.getInt16(44 + at * 2, true)) };
  },
};

const listenerWith = (deps: WhisperSpeechDeps) =>
  createListener(createWhisperSpeech(deps), decoder);

type Whisper = Awaited<ReturnType<NonNullable<WhisperSpeechDeps['load']>>>;

/** Answers as transformers.js does, without a model of a hundred megabytes. */
const hearing: Whisper = async () => ({ text: ' We met a duck. [BLANK_AUDIO]' });

describeSpeechEngine('Whisper in this process', async () => {
  const stalling = vi.fn<Whisper>(() => new Promise(() => undefined));
  return {
    listener: listenerWith({ load: async () => hearing }),
    // This is the real loader, which fails because the package is no dependency of the project.
    absent: listenerWith({ model: 'no/such-model' }),
    stalled: {
      listener: listenerWith({ load: async () => stalling }),
      hasBegun: () => stalling.mock.calls.length > 0,
    },
    speech,
    silence,
    words: /^We met a duck\.$/,
    dispose: async () => {},
  };
});

it('Whisper gets samples between -1 and 1, and the language unless its model knows but one', async () => {
  const whisper = vi.fn<Whisper>(hearing);
  const load = async () => whisper;
  await listenerWith({ load }).hear(speech, { ...hints, language: 'de-AT' }, signal);
  await listenerWith({ load, model: 'tiny.en' }).hear(speech, hints, signal);
  const [[samples, options] = [], [, english] = []] = whisper.mock.calls;
  expect(samples).toHaveLength(32_000);
  expect(Math.max(...(samples ?? []))).toBeCloseTo(8_000 / 32_768, 3);
  expect(options).toMatchObject({ language: 'de', task: 'transcribe' });
  expect(english).not.toHaveProperty('language');
});

it('a model is loaded once, and again only after a failure', async () => {
  const load = vi.fn<() => Promise<Whisper>>(async () => hearing);
  load.mockRejectedValueOnce(new Error('no network'));
  const listener = listenerWith({ load });
  const hear = () => listener.hear(speech, hints, signal);
  expect(await hear()).toEqual({ kind: 'unavailable', reason: 'no-model' });
  expect(await hear()).toMatchObject({ kind: 'text' });
  expect(await hear()).toMatchObject({ kind: 'text' });
  expect(load).toHaveBeenCalledTimes(2);
});

it('without ffmpeg Whisper is unavailable, with the reason', async () => {
  const listener = createListener(createWhisperSpeech({ load: async () => hearing }), noDecoder);
  const heard = await listener.hear(speech, hints, signal);
  expect(heard).toEqual({ kind: 'unavailable', reason: 'no-decoder' });
});

it('a recording that Whisper fails on waits, and a language that it does not know is told', async () => {
  const load = async () => async () => Promise.reject(new Error('out of memory'));
  const listener = listenerWith({ load });
  const irish = { ...hints, language: 'ga-IE' };
  expect(await listener.hear(speech, hints, signal)).toEqual({
    kind: 'unavailable',
    reason: 'no-answer',
  });
  expect(await listener.hear(speech, irish, signal)).toEqual({ kind: 'unknown-language' });
  const english = listenerWith({ load: async () => hearing, model: 'tiny.en' });
  const german = { ...hints, language: 'de-AT' };
  expect(await english.hear(speech, german, signal)).toEqual({ kind: 'unknown-language' });
});
