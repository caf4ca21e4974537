import { expect, it, onTestFinished } from 'vitest';
import { createListener } from '../../functions/src/speech/listener.ts';
import {
  createOpenAiSpeech,
  type OpenAiSpeechDeps,
} from '../../functions/src/speech/openai-speech.ts';
import { noDecoder } from '../support/fakes/listeners.ts';
import { startOpenAiSpeechServer } from '../support/servers/openai-speech-server.ts';
import { silentWav, toneWav } from '../support/fixtures/sounds.ts';
import { describeSpeechEngine, hints } from './speech-engine.ts';

const speech = { bytes: toneWav(), type: 'wav' } as const;
const silence = { bytes: silentWav(), type: 'wav' } as const;
const words = ['We met', 'a duck.'];

const listenerAt = (deps: OpenAiSpeechDeps) => createListener(createOpenAiSpeech(deps), noDecoder);

async function setUp() {
  const server = await startOpenAiSpeechServer({ bytes: speech.bytes, words });
  onTestFinished(() => server.stop());
  const hear = (deps: Partial<OpenAiSpeechDeps> = {}, own: Partial<typeof hints> = {}) => {
    const listener = listenerAt({ url: server.url, ...deps });
    return listener.hear(speech, { ...hints, ...own }, AbortSignal.timeout(60_000));
  };
  return { server, hear };
}

describeSpeechEngine('a server that speaks OpenAI’s API', async () => {
  const server = await startOpenAiSpeechServer({ bytes: speech.bytes, words });
  const stalled = await startOpenAiSpeechServer({ bytes: speech.bytes, words });
  stalled.answer = () => new Promise(() => undefined);
  return {
    listener: listenerAt({ url: server.url }),
    absent: listenerAt({ url: 'http://127.0.0.1:1' }),
    stalled: {
      listener: listenerAt({ url: stalled.url }),
      hasBegun: () => stalled.count() > 0,
    },
    speech,
    silence,
    words: /^We met a duck\.$/,
    dispose: async () => void (await Promise.all([server.stop(), stalled.stop()])),
  };
});

it('the server gets the language, the dog, the model and the key', async () => {
  const { server, hear } = await setUp();
  await hear({ apiKey: 'key', model: 'large-v3' }, { language: 'de-AT' });
  await hear({}, { phrases: [] });
  expect(server.asked[0]).toMatchObject({
    language: 'de',
    prompt: expect.stringMatching(/Bramble, Vizsla/),
    model: 'large-v3',
    temperature: '0',
    file: 'audio.wav',
    type: 'audio/wav',
    authorization: 'Bearer key',
  });
  expect(server.asked[1]).toMatchObject({ model: 'whisper-1', authorization: '' });
  expect(server.asked[1]).not.toHaveProperty('prompt');
});

it('a language that Whisper does not know is left to the server', async () => {
  const { server, hear } = await setUp();
  expect(await hear({}, { language: 'ga-IE' })).toMatchObject({ kind: 'text' });
  expect(server.asked[0]).not.toHaveProperty('language');
});

it.each(['', '/', '/v1', '/v1/', '/v1/audio/transcriptions'])(
  'is found at its url%s',
  async (path) => {
    const { server, hear } = await setUp();
    expect(await hear({ url: server.url + path })).toMatchObject({
      kind: 'text',
      text: 'We met a duck.',
    });
  },
);

it('a server without segments is asked for the bare text', async () => {
  const { server, hear } = await setUp();
  server.knowsSegments = false;
  expect(await hear()).toEqual({ kind: 'text', text: 'We met a duck.' });
  expect(server.asked.map(({ response_format }) => response_format)).toEqual([
    'verbose_json',
    'json',
  ]);
});

it('refusals of the server differ from temporary failures', async () => {
  const { server, hear } = await setUp();
  const answers = [
    [400, 'refused'],
    [422, 'refused'],
    [413, 'too-large'],
    [401, 'unavailable'],
    [404, 'unavailable'],
    [500, 'unavailable'],
  ] as const;
  for (const [status, kind] of answers) {
    server.answer = () => new Response('', { status });
    expect(await hear()).toEqual({ kind, reason: `http-${status}` });
  }
  server.answer = () => new Response('<p>Welcome</p>');
  expect(await hear()).toMatchObject({ kind: 'unavailable' });
  server.answer = () => Promise.reject(new Error('the line breaks'));
  expect(await hear()).toEqual({ kind: 'unavailable', reason: 'no-answer' });
});

it('a recording that this machine can decode is sent as WAV, which every server reads', async () => {
  const { server } = await setUp();
  const samples = new Int16Array(16_000).fill(9_000);
  const decode = async () => ({ kind: 'samples', samples }) as const;
  const listener = createListener(createOpenAiSpeech({ url: server.url }), { decode });
  const recording = { bytes: new Uint8Array(4), type: 'mp4' } as const;
  await listener.hear(recording, hints, new AbortController().signal);
  expect(server.asked[0]).toMatchObject({ file: 'audio.wav', type: 'audio/wav' });
});
