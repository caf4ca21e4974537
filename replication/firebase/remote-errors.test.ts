import { FirebaseError } from 'firebase/app';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { RemoteError } from '../ports.ts';
import type { FirebaseConfig } from './firebase-config.ts';
import { createProbe } from './probe.ts';
import { toRemoteError } from './remote-errors.ts';

describe('toRemoteError', () => {
  it.each([
    ['permission-denied', 'permanent'],
    ['invalid-argument', 'permanent'],
    ['not-found', 'permanent'],
    ['unavailable', 'transient'],
    ['unauthenticated', 'transient'],
    ['deadline-exceeded', 'transient'],
    ['resource-exhausted', 'transient'],
    ['aborted', 'transient'],
    ['internal', 'transient'],
    ['unknown', 'transient'],
  ])('takes %s as %s', (code, kind) => {
    expect(toRemoteError(new FirebaseError(code, 'no'))).toMatchObject({ kind, code });
  });

  it('takes what the SDK did not make for an answer that is not Firestore’s', () => {
    const error = toRemoteError(new SyntaxError('Unexpected token <'));
    expect(error).toMatchObject({ kind: 'transient', code: 'not-firestore' });
  });

  it('leaves its own errors as they are', () => {
    const error = new RemoteError('transient', 'timeout');
    expect(toRemoteError(error)).toBe(error);
  });
});

describe('the probe', () => {
  const config: FirebaseConfig = {
    apiKey: 'k',
    authDomain: 'd',
    projectId: 'demo',
    storageBucket: 'b',
    appId: 'a',
    serverOrigin: 'http://localhost:4173',
  };

  afterEach(() => {
    vi.unstubAllGlobals();
  });

  const answering = (answer: () => Promise<Response>) => {
    const fetch = vi.fn<(url: string) => Promise<Response>>(answer);
    vi.stubGlobal('fetch', fetch);
    return fetch;
  };

  it('knows Firestore by its JSON, also when that is a refusal', async () => {
    const fetch = answering(async () => Response.json({ error: {} }, { status: 403 }));
    expect(await createProbe(config)()).toBe('firestore');
    expect(fetch.mock.calls[0]?.[0]).toMatch(/^http:\/\/localhost:4173\/v1\/projects\/demo\//);
  });

  it('knows a page for something else', async () => {
    answering(async () => new Response('<html>', { headers: { 'content-type': 'text/html' } }));
    expect(await createProbe(config)()).toBe('something-else');
  });

  it('knows silence', async () => {
    answering(() => Promise.reject(new TypeError('Failed to fetch')));
    expect(await createProbe(config)()).toBe('nobody');
  });

  it('asks Google when no other server is configured', async () => {
    const fetch = answering(async () => Response.json({}));
    await createProbe({ ...config, serverOrigin: null })();
    expect(fetch.mock.calls[0]?.[0]).toMatch(/^https:\/\/firestore\.googleapis\.com\//);
  });
});
