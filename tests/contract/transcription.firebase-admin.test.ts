import { expect, it } from 'vitest';
import { openGoogleProject, projectId } from '../support/servers/google-project.ts';
import { serveFunction } from '../support/servers/serve-function.ts';
import { describeTranscription } from './transcription.ts';

/** The tests run the deployed adapter with the real firebase-admin; a local server stands in for Google. */
const google = await openGoogleProject();
// They read the environment when they are loaded.
const { openAdminTranscriptionPorts } =
  await import('../../functions/src/firebase/admin-transcription-ports.ts');

/** Returns an unsigned ID token, as the Auth emulator issues it. */
function tokenOf(uid: string, changes: Readonly<Record<string, unknown>> = {}): string {
  const nowS = Math.floor(Date.now() / 1_000);
  const claims = {
    iss: `https://securetoken.google.com/${projectId}`,
    aud: projectId,
    sub: uid,
    user_id: uid,
    auth_time: nowS,
    iat: nowS,
    exp: nowS + 3_600,
    ...changes,
  };
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  return `${encode({ alg: 'none', typ: 'JWT' })}.${encode(claims)}.`;
}

const { firestore, files } = google;

describeTranscription('firebase-admin', async (listener) => ({
  ports: openAdminTranscriptionPorts(listener),
  alice: { uid: 'alice', idToken: tokenOf('alice') },
  bob: { uid: 'bob', idToken: tokenOf('bob') },
  putPet: (petId, data) => firestore.commit([{ set: `pets/${petId}`, data }]),
  upload: async (name, bytes) => files.put(name, { bytes }),
  dispose: async () => {
    files.clear();
    for (const collection of ['pets', 'transcriptionLimits']) {
      const found = await firestore.find({ collection, limit: 100 });
      await firestore.commit(found.map(({ path }) => ({ delete: path })));
    }
  },
}));

it('the function that is deployed answers over Express', async () => {
  const { transcribe } = await import('../../functions/src/index.ts');
  const port = await serveFunction(transcribe);
  const ask = async (body: string, token: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, Origin: 'https://localhost' },
      body,
    });
    const json: unknown = await answer.json();
    const allowed = answer.headers.get('access-control-allow-origin');
    return { status: answer.status, json, allowed };
  };
  expect(await ask('{}', 'nobody')).toMatchObject({
    status: 401,
    json: { error: { code: 'unauthenticated' } },
    allowed: 'https://localhost',
  });
  const body = JSON.stringify({ fileLocation: 'pets/rex/audios/voice-note-1.webm' });
  expect(await ask(body, tokenOf('alice'))).toMatchObject({
    status: 403,
    json: { error: { code: 'permission-denied' } },
  });
});

it('a token of another project and an expired one are refused', async () => {
  const ports = openAdminTranscriptionPorts(null);
  expect(await ports.verifyToken(tokenOf('alice'))).toEqual({ uid: 'alice' });
  expect(await ports.verifyToken(tokenOf('alice', { aud: 'other' }))).toBeNull();
  expect(await ports.verifyToken(tokenOf('alice', { exp: 1, iat: 0 }))).toBeNull();
});

it('an App Check token of another issuer and a missing one are refused', async () => {
  const ports = openAdminTranscriptionPorts(null, true);
  for (const appToken of [null, '', 'nonsense', tokenOf('alice')]) {
    expect([appToken, await ports.isFromApp?.(appToken)]).toEqual([appToken, false]);
  }
  expect(openAdminTranscriptionPorts(null).isFromApp).toBeUndefined();
});

it('concurrent requests are all counted', async () => {
  const { limiter } = openAdminTranscriptionPorts(null);
  expect(await limiter.charge('dave')).toBe(0);
  const waits = await Promise.all(Array.from({ length: 4 }, () => limiter.charge('dave')));
  const passed = waits.filter((waitMs) => waitMs === 0).length + 1;
  expect(passed).toBeGreaterThan(1);
  const level = Number(firestore.get('transcriptionLimits/dave')?.['level']);
  expect(level).toBeGreaterThan(passed - 0.5);
  expect(level).toBeLessThanOrEqual(passed);
});

it('the requests of a user are counted across instances, and the count is deleted with the account', async () => {
  const { limiter } = openAdminTranscriptionPorts(null);
  expect(await limiter.charge('carol')).toBe(0);
  expect(await openAdminTranscriptionPorts(null).limiter.charge('carol')).toBe(0);
  const stored = firestore.get('transcriptionLimits/carol');
  expect(stored?.['level']).toBeGreaterThan(1.5);
  const { eraseAccount } = await import('../../functions/src/account-cleanup/erase-account.ts');
  const { openAdminPorts } = await import('../../functions/src/firebase/admin-ports.ts');
  await eraseAccount(openAdminPorts(), 'carol');
  expect(firestore.get('transcriptionLimits/carol')).toBeNull();
});
