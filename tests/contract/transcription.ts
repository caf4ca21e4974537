import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TaskQueue } from '../../functions/src/speech/task-queue.ts';
import { handleTranscription } from '../../functions/src/transcription/http-handler.ts';
import { maxConcurrent, type TranscriptionPorts } from '../../functions/src/transcription/ports.ts';
import { fileMaxBytes } from '../../schemas/limits.ts';
import { createFakeListener, type FakeListener } from '../support/fakes/listeners.ts';
import { toneWav } from '../support/fixtures/sounds.ts';

/** The server that the suite needs: its ports, the signed-in users, and a way to store documents and files. */
export interface TranscriptionWorld {
  readonly ports: TranscriptionPorts;
  readonly alice: { readonly uid: string; readonly idToken: string };
  readonly bob: { readonly uid: string; readonly idToken: string };
  putPet(petId: string, data: Readonly<Record<string, string>>): Promise<void>;
  upload(name: string, bytes: Uint8Array): Promise<void>;
  dispose(): Promise<void>;
}

export type OpenTranscriptionWorld = (
  listener: TranscriptionPorts['listener'],
) => Promise<TranscriptionWorld>;

const rex = 'pets/rex/audios/voice-note-1.webm';

interface Asking {
  readonly idToken?: string;
  readonly body?: unknown;
  readonly language?: string;
  readonly path?: string;
  readonly appToken?: string;
}

export function describeTranscription(name: string, open: OpenTranscriptionWorld): void {
  describe(`transcription on ${name}`, () => {
    let fake: FakeListener;
    let world: TranscriptionWorld;
    beforeEach(async () => {
      fake = createFakeListener();
      world = await open(fake.listener);
      const { uid } = world.alice;
      await world.putPet('rex', { ownerId: uid, name: 'Bramble', breed: 'Vizsla' });
      await world.upload(rex, toneWav());
    });
    afterEach(() => world.dispose());

    const ask = async (
      { idToken, body, language, path = '/', appToken }: Asking = {},
      ports = world.ports,
    ) => {
      const headers = {
        ...(appToken === undefined ? {} : { 'X-Firebase-AppCheck': appToken }),
        Authorization: `Bearer ${idToken ?? world.alice.idToken}`,
        ...(language === undefined ? {} : { 'Accept-Language': language }),
      };
      const text = typeof body === 'string' ? body : JSON.stringify(body ?? { fileLocation: rex });
      const init = { method: 'POST', headers, body: text };
      const request = new Request(`http://localhost${path}`, init);
      const answer = await handleTranscription(ports, request);
      const json: unknown = await answer.json();
      return { status: answer.status, json, headers: answer.headers };
    };
    const at = (fileLocation: string) => ask({ body: { fileLocation } });
    const refused = (status: number, code: string) => ({ status, json: { error: { code } } });

    it('returns the text to the owner, and gives the engine the bytes, the dog and the language', async () => {
      expect(await ask({ language: 'de-AT,en;q=0.5' })).toMatchObject({
        status: 200,
        json: { text: 'a walk in the woods' },
      });
      const [asked] = fake.asked;
      expect(asked?.hints).toEqual({ language: 'de-AT', phrases: ['Bramble', 'Vizsla'] });
      expect(asked?.audio.type).toBe('wav');
      expect(Buffer.from(asked?.audio.bytes ?? []).equals(toneWav())).toBe(true);
    });

    it('answers at its own base path, and behind the rewrite of hosting', async () => {
      for (const path of ['/', '/?key=k', '/api/transcribe']) {
        expect([path, await ask({ path })]).toMatchObject([path, { status: 200 }]);
      }
    });

    it('refuses a request without a token, or with a bad one', async () => {
      for (const idToken of ['', 'nonsense', `${world.alice.idToken.slice(0, 20)}.x.y`]) {
        expect(await ask({ idToken })).toMatchObject(refused(401, 'unauthenticated'));
      }
      expect(fake.asked).toEqual([]);
    });

    it('answers only the app where App Check is enforced', async () => {
      const ports = { ...world.ports, isFromApp: async (token: string | null) => token === 'app' };
      for (const asking of [{}, { appToken: 'another' }]) {
        expect(await ask(asking, ports)).toMatchObject(refused(401, 'unauthenticated'));
      }
      expect(fake.asked).toEqual([]);
      expect(await ask({ appToken: 'app' }, ports)).toMatchObject({ status: 200 });
    });

    it('refuses malformed requests', async () => {
      const bodies = ['', 'fileLocation', '[]', '{}', { fileLocation: 7 }, { fileLocation: 'rex' }];
      const outside = ['pets/rex/images/profile.jpg', 'pets/rex/audios/a/b', 'pets//audios/a'];
      for (const body of [...bodies, ...outside.map((fileLocation) => ({ fileLocation }))]) {
        expect([body, await ask({ body })]).toMatchObject([body, refused(400, 'bad-request')]);
      }
    });

    it('reveals nothing to other users, not even whether a file exists', async () => {
      const idToken = world.bob.idToken;
      const denied = refused(403, 'permission-denied');
      expect(await ask({ idToken })).toMatchObject(denied);
      const missing = { fileLocation: 'pets/rex/audios/voice-note-2.webm' };
      expect(await ask({ idToken, body: missing })).toMatchObject(denied);
      expect(await at('pets/nobody/audios/voice-note-1.webm')).toMatchObject(denied);
      expect(fake.asked).toEqual([]);
    });

    it('refuses files that are missing, too large or no audio, each with its code', async () => {
      const [missing, large, picture] = [2, 3, 4].map(
        (id) => `pets/rex/audios/voice-note-${id}.webm`,
      );
      expect(await at(missing ?? '')).toMatchObject(refused(404, 'not-found'));
      await world.upload(large ?? '', new Uint8Array(fileMaxBytes + 1));
      expect(await at(large ?? '')).toMatchObject(refused(413, 'too-large'));
      await world.upload(picture ?? '', Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 1, 2, 3, 4]));
      expect(await at(picture ?? '')).toMatchObject(refused(415, 'not-audio'));
      expect(fake.asked).toEqual([]);
    });

    it('limits the rate of each user separately', async () => {
      await world.putPet('moss', { ownerId: world.bob.uid, name: 'Moss' });
      const moss = 'pets/moss/audios/voice-note-1.webm';
      await world.upload(moss, toneWav());
      let answer = await ask();
      let count = 0;
      for (; answer.status === 200 && count < 100; count += 1) answer = await ask();
      expect(answer).toMatchObject(refused(429, 'too-many'));
      expect(count).toBeGreaterThanOrEqual(30);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      const bobs = { idToken: world.bob.idToken, body: { fileLocation: moss } };
      expect(await ask(bobs)).toMatchObject({ status: 200 });
    });

    it('reads a few recordings of a burst at a time, so that its memory is limited', async () => {
      const ends: (() => void)[] = [];
      fake.answer = () =>
        new Promise((resolve) => ends.push(() => resolve({ kind: 'text', text: 'a walk' })));
      let reads = 0;
      const read = async (file: string) => {
        reads += 1;
        return world.ports.files.read(file);
      };
      const files = { ...world.ports.files, read };
      let owners = 0;
      const inTurn: TaskQueue = (turn, work) =>
        world.ports.inTurn({ ...turn, key: `owner-${owners++}` }, work);
      const ports = { ...world.ports, files, inTurn, limiter: { charge: async () => 0 } };
      const burst = Array.from({ length: 10 }, () => ask({}, ports));
      for (let ended = 0; ended < burst.length; ended += 1) {
        await expect.poll(() => ends.length).toBeGreaterThan(ended);
        expect(reads - ended).toBeLessThanOrEqual(maxConcurrent);
        ends[ended]?.();
      }
      expect((await Promise.all(burst)).map(({ status }) => status)).toEqual(burst.map(() => 200));
    });

    it('takes one recording of an owner at a time', async () => {
      const keys: string[] = [];
      const inTurn: TaskQueue = (turn, work) => {
        keys.push(turn.key);
        return world.ports.inTurn(turn, work);
      };
      await Promise.all([ask({}, { ...world.ports, inTurn }), ask({}, { ...world.ports, inTurn })]);
      expect(new Set(keys).size).toBe(1);
      expect(keys).toHaveLength(2);
    });

    it('reports a missing engine, and counts no request', async () => {
      const deaf = { ...world.ports, listener: null };
      for (let count = 0; count < 40; count += 1) {
        expect(await ask({}, deaf)).toMatchObject(refused(503, 'no-engine'));
      }
      expect(await ask()).toMatchObject({ status: 200 });
    });

    it('has no engine for a language that its engine does not know', async () => {
      fake.answer = async () => ({ kind: 'unknown-language' });
      expect(await ask({ language: 'de-DE' })).toMatchObject(refused(503, 'no-engine'));
    });
  });
}
