import * as v from 'valibot';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Listener } from '../../functions/src/speech/listener.ts';
import type { Clock } from '../../functions/src/transcription/ports.ts';
import { createStorageFiles } from '../../replication/firebase/storage-files.ts';
import {
  transcribeAnswerSchema,
  transcribeErrorSchema,
  transcribePath,
} from '../../schemas/transcription.ts';
import {
  createEmbeddedTranscription,
  openEmbeddedListener,
} from '../../scripts/serve/embedded-transcription.ts';
import { systemClock } from '../../src/platform/system-clock.ts';
import { startTestBackend } from '../support/servers/backend-in-process.ts';
import { createFakeClock } from '../support/fakes/fake-clock.ts';
import { openFirestoreClient } from '../support/servers/firestore-client.ts';
import { createFakeListener } from '../support/fakes/listeners.ts';
import { silentWav, toneWav } from '../support/fixtures/sounds.ts';
import { requireSpeechTools, speak } from '../support/servers/speech-tools.ts';

const fileLocation = 'pets/rex/audios/voice-note-1.wav';

interface Own {
  readonly listener?: Listener | null;
  readonly clock?: Clock;
}

async function setUp(own: Own = {}) {
  const fake = createFakeListener();
  const clock = createFakeClock();
  const logged: string[] = [];
  const transcription = createEmbeddedTranscription({
    listener: fake.listener,
    clock,
    ...own,
    log: (event, fields) => logged.push(`${event} ${JSON.stringify(fields)}`),
  });
  const backend = await startTestBackend({ httpFunctions: transcription.httpFunctions });
  transcription.bind(backend.current());
  const { url, firestore } = backend.current();
  const client = await openFirestoreClient({ url, email: 'a@example.com', isNew: true });
  onTestFinished(async () => {
    await client.close();
    await backend.dispose();
  });
  const data = { ownerId: client.uid, name: 'Bramble', breed: 'Vizsla' };
  await firestore.commit([{ set: 'pets/rex', data }]);
  const files = createStorageFiles({
    config: { serverOrigin: url, storageBucket: 'demo-pawpals.appspot.com' },
    idToken: client.idToken,
    clock: systemClock,
  });
  const ask = async (init: RequestInit = {}, path = transcribePath) => {
    const idToken = await client.idToken();
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { Authorization: `Bearer ${idToken}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ fileLocation }),
      ...init,
    });
    const schema = answer.ok ? transcribeAnswerSchema : transcribeErrorSchema;
    const json = v.parse(schema, await answer.json());
    return { status: answer.status, json, type: answer.headers.get('content-type') };
  };
  const upload = (recording = toneWav()) => {
    const bytes = recording.buffer;
    const file = { objectName: fileLocation, contentType: 'audio/wav', bytes };
    return files.upload(file, new AbortController().signal);
  };
  return { backend: backend.current(), client, fake, clock, logged, ask, upload };
}

it('a voice note that the owner uploaded is transcribed', async () => {
  const { ask, upload, fake, logged } = await setUp();
  expect(await ask()).toMatchObject({ status: 404, json: { error: { code: 'not-found' } } });
  await upload();
  expect(await ask()).toEqual({
    status: 200,
    json: { text: 'a walk in the woods', rough: false },
    type: 'application/json',
  });
  // The function answers at its base path too, as on its own origin.
  expect(await ask({}, '/')).toMatchObject({ status: 200, json: { text: 'a walk in the woods' } });
  expect(fake.asked[0]?.hints).toEqual({ language: 'en-GB', phrases: ['Bramble', 'Vizsla'] });
  expect(logged.join()).not.toMatch(/Bramble|woods|voice-note/);
});

it('every refusal is JSON with a code', async () => {
  const { ask, upload, fake, backend, client } = await setUp();
  await upload();
  const coded = (status: number, code: string) => ({
    status,
    type: 'application/json',
    json: { error: { code } },
  });
  expect(await ask({ method: 'PUT' })).toMatchObject(coded(405, 'method-not-allowed'));
  expect(await ask({ headers: {} })).toMatchObject(coded(401, 'unauthenticated'));
  expect(await ask({ body: '{' })).toMatchObject(coded(400, 'bad-request'));
  fake.answer = async () => ({ kind: 'unavailable', reason: 'http-500' });
  expect(await ask()).toMatchObject(coded(503, 'engine-unavailable'));
  fake.answer = async () => ({ kind: 'refused', reason: 'http-400' });
  expect(await ask()).toMatchObject(coded(415, 'not-audio'));
  fake.answer = async () => Promise.reject(new Error('a defect'));
  expect(await ask()).toMatchObject(coded(500, 'internal'));
  const idToken = await client.idToken();
  await backend.accounts.setDisabled(client.uid, true);
  const headers = { Authorization: `Bearer ${idToken}` };
  expect(await ask({ headers })).toMatchObject(coded(401, 'unauthenticated'));
});

it('an engine that never answers is stopped after a deadline, and reported', async () => {
  const { ask, upload, fake, clock } = await setUp();
  await upload();
  fake.answer = () => new Promise(() => undefined);
  const answer = ask();
  await vi.waitFor(() => expect(fake.asked).toHaveLength(1));
  await clock.advance(60_000);
  expect(await answer).toMatchObject({ status: 504, json: { error: { code: 'timed-out' } } });
  expect(fake.asked[0]?.signal.aborted).toBe(true);
});

it('an engine is stopped when its client has disconnected', async () => {
  const { ask, upload, fake } = await setUp();
  await upload();
  fake.answer = () => new Promise(() => undefined);
  const leaving = new AbortController();
  const answer = ask({ signal: leaving.signal }).catch(() => 'gone');
  await vi.waitFor(() => expect(fake.asked).toHaveLength(1));
  leaving.abort();
  expect(await answer).toBe('gone');
  await vi.waitFor(() => expect(fake.asked[0]?.signal.aborted).toBe(true));
});

it('a server without an engine says so', async () => {
  const { ask, upload } = await setUp({ listener: null });
  await upload();
  expect(await ask()).toMatchObject({ status: 503, json: { error: { code: 'no-engine' } } });
});

it('a real engine transcribes speech, and finds no words in silence', async () => {
  requireSpeechTools();
  const listener = openEmbeddedListener({}, 'pocketsphinx');
  const { ask, upload } = await setUp({ listener, clock: systemClock });
  await upload(await speak('yesterday we went away for two hours', 'webm'));
  expect(await ask()).toMatchObject({
    status: 200,
    json: { text: expect.stringMatching(/went away/), rough: true },
  });
  await upload(silentWav());
  expect(await ask()).toMatchObject({ status: 200, json: { text: '' } });
  await upload(new TextEncoder().encode('<!doctype html><title>No sound</title>'));
  expect(await ask()).toMatchObject({ status: 415, json: { error: { code: 'not-audio' } } });
}, 600_000);
