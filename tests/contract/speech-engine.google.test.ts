import { expect, it, onTestFinished } from 'vitest';
import { openListener } from '../../functions/src/speech/open-listener.ts';
import { createGoogleSpeech } from '../../functions/src/speech/google-speech.ts';
import { createListener } from '../../functions/src/speech/listener.ts';
import { startGoogleSpeechServer } from '../support/servers/google-speech-server.ts';
import { noDecoder } from '../support/fakes/listeners.ts';
import { silentWav, toneWav } from '../support/fixtures/sounds.ts';
import { describeSpeechEngine, hints } from './speech-engine.ts';

const speech = { bytes: toneWav(), type: 'wav' } as const;
const silence = { bytes: silentWav(), type: 'wav' } as const;
const projectId = 'my-dogs';
const token = 'token-of-the-platform';

function listenerAt(origin: string, accessToken = async () => token) {
  return createListener(createGoogleSpeech({ projectId, accessToken, origin }), noDecoder);
}

const startServer = () =>
  startGoogleSpeechServer({ bytes: speech.bytes, words: ['We met a duck.', ' It flew.'] }, token);

async function setUp() {
  const server = await startServer();
  onTestFinished(() => server.stop());
  const hear = (own: Partial<typeof hints> = {}, accessToken = async () => token) =>
    listenerAt(server.url, accessToken).hear(
      speech,
      { ...hints, ...own },
      AbortSignal.timeout(60_000),
    );
  return { server, hear };
}

describeSpeechEngine('Google', async () => {
  const server = await startServer();
  const stalled = await startServer();
  stalled.answer = () => new Promise(() => undefined);
  return {
    listener: listenerAt(server.url),
    absent: listenerAt('http://127.0.0.1:1'),
    stalled: {
      listener: listenerAt(stalled.url),
      hasBegun: () => stalled.count() > 0,
    },
    speech,
    silence,
    words: /^We met a duck\. It flew\.$/,
    dispose: async () => void (await Promise.all([server.stop(), stalled.stop()])),
  };
});

it('Google gets the language and the likely words', async () => {
  const { server, hear } = await setUp();
  await hear({ language: 'de-DE' });
  await hear({ phrases: [] });
  const phrases = ['Bramble', 'Vizsla'].map((value) => ({ value, boost: 10 }));
  expect(server.asked.map(({ config }) => [config.languageCodes, config.adaptation])).toEqual([
    [['de-DE'], { phraseSets: [{ inlinePhraseSet: { phrases } }] }],
    [['en-GB'], undefined],
  ]);
});

it('Google is asked for English where it does not know the language', async () => {
  const { server, hear } = await setUp();
  expect(await hear({ language: 'cy-GB' })).toMatchObject({ kind: 'text' });
  expect(server.asked.map(({ config }) => config.languageCodes)).toEqual([['cy-GB'], ['en-GB']]);
});

it('refusals of Google differ from temporary failures', async () => {
  const { server, hear } = await setUp();
  const answers = [
    [new Response('', { status: 400 }), { kind: 'unavailable', reason: 'http-400' }],
    [new Response('', { status: 413 }), { kind: 'too-large', reason: 'http-413' }],
    [new Response('', { status: 403 }), { kind: 'unavailable', reason: 'http-403' }],
    [new Response('', { status: 503 }), { kind: 'unavailable', reason: 'http-503' }],
    [
      new Response('', { status: 429, headers: { 'Retry-After': '7' } }),
      { kind: 'unavailable', reason: 'http-429', retryAfterS: 7 },
    ],
    [new Response('<p>Welcome</p>'), { kind: 'unavailable', reason: 'no-answer' }],
    [Response.json({ results: 'none' }), { kind: 'unavailable', reason: 'bad-answer' }],
  ] as const;
  for (const [answer, heard] of answers) {
    server.answer = () => answer;
    expect(await hear()).toEqual(heard);
  }
});

it.each([
  ['too-large', 'Audio can be of a maximum of 60 seconds.'],
  ['too-large', 'Inline audio exceeds duration limit. Please use a GCS URI.'],
  ['too-large', 'Sync input too long. For audio longer than 1 min use LongRunningRecognize.'],
  ['too-large', "Audio 'content' cannot be longer than 1 min."],
  ['too-large', 'Request payload size exceeds the limit: 10485760 bytes.'],
  ['refused', 'Audio data does not appear to be in a supported encoding.'],
  ['refused', 'The encoding of the file is not known.'],
  ['unavailable', 'The model "long" does not exist in the location named "global".'],
  ['unavailable', 'Invalid resource name in the request.'],
])('a bad request is %s by the words of Google: %s', async (kind, message) => {
  const { server, hear } = await setUp();
  const error = { code: 400, message, status: 'INVALID_ARGUMENT' };
  server.answer = () => Response.json({ error }, { status: 400 });
  expect(await hear()).toEqual({ kind, reason: 'http-400' });
});

it('without credentials Google is not available', async () => {
  const { server, hear } = await setUp();
  expect(await hear({}, async () => 'expired')).toMatchObject({ reason: 'http-401' });
  expect(await hear({}, () => Promise.reject(new Error('no account')))).toMatchObject({
    kind: 'unavailable',
  });
  expect(server.asked).toEqual([]);
});

it('a quiet recording never reaches an engine that costs money, where it can be decoded', async () => {
  const { server } = await setUp();
  const engine = createGoogleSpeech({
    projectId,
    accessToken: async () => token,
    origin: server.url,
  });
  const samples = new Int16Array(32_000).fill(12);
  const listener = createListener(engine, { decode: async () => ({ kind: 'samples', samples }) });
  const heard = await listener.hear(speech, hints, new AbortController().signal);
  expect(heard).toEqual({ kind: 'text', text: '' });
  expect(server.count()).toBe(0);
});

it('the settings select Google', () => {
  const deps = { googleToken: async () => token };
  expect(openListener({ engine: 'google', projectId }, deps)?.name).toBe('google');
  expect(openListener({ engine: 'none' }, deps)).toBeNull();
});
