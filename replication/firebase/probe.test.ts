import { describe, expect, it, vi } from 'vitest';
import { firebaseConfigOf } from './firebase-config.ts';
import { createProbe } from './probe.ts';

const config = firebaseConfigOf({ VITE_FIREBASE_PROJECT_ID: 'dogs' }, 'http://server.test');

/** Probes a server that gives this answer. */
async function probed(answer: () => Promise<Response>, of = config) {
  const fetched = vi.fn<typeof fetch>(answer);
  vi.stubGlobal('fetch', fetched);
  return { isPortal: await createProbe(of)(), calls: fetched.mock.calls };
}

const answerOf =
  (type: string, status = 200) =>
  async () =>
    new Response('{}', { status, headers: { 'content-type': type } });

describe('the probe of Firestore’s address', () => {
  it('finds Firestore by an answer in JSON, also if it is a refusal', async () => {
    expect((await probed(answerOf('application/json; charset=UTF-8'))).isPortal).toBe(false);
    expect((await probed(answerOf('application/json', 403))).isPortal).toBe(false);
  });

  it('finds something else that answers with a page, or without a type', async () => {
    expect((await probed(answerOf('text/html'))).isPortal).toBe(true);
    expect((await probed(async () => new Response(null))).isPortal).toBe(true);
  });

  it('finds nobody without an answer', async () => {
    const lost = (): Promise<never> => Promise.reject(new TypeError('failed to fetch'));
    expect((await probed(lost)).isPortal).toBe(false);
  });

  it('asks the server itself, past all caches', async () => {
    const { calls } = await probed(answerOf('application/json'));
    expect(calls).toEqual([
      [
        'http://server.test/v1/projects/dogs/databases/(default)/documents/sync/probe',
        { cache: 'no-store' },
      ],
    ]);
  });

  it('asks Google if no other server is configured', async () => {
    const hosted = firebaseConfigOf({ VITE_FIREBASE_API_KEY: 'key' }, 'http://server.test');
    const { calls } = await probed(answerOf('application/json'), hosted);
    expect(calls[0]?.[0]).toMatch(/^https:\/\/firestore\.googleapis\.com\/v1\/projects\//);
  });
});
