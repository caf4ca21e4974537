import { beforeAll, expect, it, vi } from 'vitest';
import { createFfmpegDecoder } from '../../functions/src/speech/audio-decoder.ts';
import { audioTypeOf, type AudioType } from '../../functions/src/speech/audio-type.ts';
import { createListener } from '../../functions/src/speech/listener.ts';
import { createPocketsphinxSpeech } from '../../functions/src/speech/pocketsphinx-speech.ts';
import { isSilent, sampleRate } from '../../functions/src/speech/pcm.ts';
import { noiseWav, silentWav } from '../support/fixtures/sounds.ts';
import { requireSpeechTools, speak } from '../support/servers/speech-tools.ts';
import { createStallingCommand } from '../support/fakes/stalling-command.ts';
import { describeSpeechEngine, hints } from './speech-engine.ts';

/** A real recognizer hears real speech. The tests prove that speech becomes text, not that every word is right. */
const said = 'yesterday we went away for two hours';
const words = /\byesterday we went away\b/;
const decoder = createFfmpegDecoder();
const listener = createListener(createPocketsphinxSpeech(), decoder);
const signal = new AbortController().signal;

vi.setConfig({ testTimeout: 120_000, hookTimeout: 600_000 });
beforeAll(() => requireSpeechTools());

describeSpeechEngine('pocketsphinx', async () => {
  const stalling = await createStallingCommand();
  return {
    listener,
    absent: createListener(createPocketsphinxSpeech('no-such-recognizer'), decoder),
    stalled: {
      listener: createListener(createPocketsphinxSpeech(stalling.command), decoder),
      hasBegun: stalling.hasBegun,
    },
    speech: { bytes: await speak(said, 'wav'), type: 'wav' },
    silence: { bytes: silentWav(), type: 'wav' },
    words,
    dispose: stalling.dispose,
  };
});

it.each<readonly [string, AudioType]>([
  ['webm', 'webm'],
  ['ogg', 'ogg'],
  ['mp4', 'mp4'],
])('what is recorded as %s is heard', async (format, type) => {
  const heard = await listener.hear({ bytes: await speak(said, format), type }, hints, signal);
  expect(heard).toEqual({
    kind: 'text',
    text: expect.stringMatching(/went away/),
    isRough: true,
  });
});

it.each<readonly [string, AudioType]>([
  ['webm', 'webm'],
  ['ogg', 'ogg'],
  ['mp4', 'mp4'],
  ['m4a', 'mp4'],
  ['wav', 'wav'],
  ['mp3', 'mp3'],
  ['flac', 'flac'],
  ['aac', 'aac'],
])('what is recorded as %s is known by its bytes, and decoded', async (format, type) => {
  const bytes = await speak(said, format);
  expect(audioTypeOf(bytes)).toBe(type);
  const decoded = await decoder.decode(bytes, type, signal);
  const seconds = decoded.kind === 'samples' ? decoded.samples.length / sampleRate : 0;
  expect(seconds).toBeGreaterThan(1.5);
  expect(seconds).toBeLessThan(5);
  expect(decoded.kind === 'samples' && isSilent(decoded.samples)).toBe(false);
});

it('a truncated recording is transcribed up to its end', async () => {
  const bytes = await speak(said, 'webm');
  const broken = bytes.slice(0, Math.floor(bytes.length * 0.6));
  const heard = await listener.hear({ bytes: broken, type: 'webm' }, hints, signal);
  expect(heard).toMatchObject({ kind: 'text', text: expect.stringMatching(/\w/) });
});

it('noise alone gives no words', async () => {
  const bytes = noiseWav();
  expect(await listener.hear({ bytes, type: 'wav' }, hints, signal)).toMatchObject({
    kind: 'text',
    text: '',
  });
});

it('a file that only begins like audio is refused', async () => {
  const bytes = (await speak(said, 'ogg')).map((byte, at) => (at < 8 ? byte : 0));
  expect(audioTypeOf(bytes)).toBe('ogg');
  const refused = { kind: 'refused', reason: 'unreadable' };
  expect(await listener.hear({ bytes, type: 'ogg' }, hints, signal)).toEqual(refused);
});

it('a recording longer than any note is refused for its length', async () => {
  const recording = { bytes: silentWav(122), type: 'wav' } as const;
  expect(await listener.hear(recording, hints, signal)).toMatchObject({ kind: 'too-large' });
});

it('only English is transcribed, and nothing without a decoder', async () => {
  const recording = { bytes: await speak(said, 'wav'), type: 'wav' } as const;
  expect(await listener.hear(recording, { ...hints, language: 'de-DE' }, signal)).toEqual({
    kind: 'unknown-language',
  });
  const deaf = createListener(createPocketsphinxSpeech(), createFfmpegDecoder('no-such-decoder'));
  expect(await deaf.hear(recording, hints, signal)).toEqual({
    kind: 'unavailable',
    reason: 'no-decoder',
  });
});
