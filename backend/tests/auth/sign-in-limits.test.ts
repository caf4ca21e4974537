import { deleteApp, initializeApp } from 'firebase/app';
import {
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  initializeAuth,
  signInWithEmailAndPassword,
  type Persistence,
} from 'firebase/auth';
import { describe, expect, it, onTestFinished } from 'vitest';
import { liteApp, liteUser } from '../support/clients/lite-user.ts';
import { createManualClock } from '../support/fakes/manual-clock.ts';
import { rawClient } from '../support/clients/raw-client.ts';
import { testPassword, newEmail } from '../support/clients/sdk-user.ts';
import { startBackend } from '../support/servers/start-backend.ts';
import { tempFolder } from '../support/temp-folder.ts';

const wrong = { code: 'auth/invalid-credential' };
const tooMany = { code: 'auth/too-many-requests' };

/** Makes calls as a proxy forwards them. */
function behindProxy(backend: Awaited<ReturnType<typeof startBackend>>, method: string) {
  const path = `/identitytoolkit.googleapis.com/v1/accounts:${method}?key=k`;
  return (address: string, credentials: object) =>
    rawClient(backend).json(path, credentials, { 'X-Forwarded-For': address });
}

async function setUp() {
  const clock = createManualClock(Date.now());
  const backend = await startBackend({ clock, isBehindProxy: true });
  const { email } = await liteUser(backend.port);
  const { auth } = liteApp(backend.port);
  const signIn = (password: string, address = email) =>
    signInWithEmailAndPassword(auth, address, password);
  return { backend, clock, auth, email, signIn };
}

describe('wrong passwords', () => {
  it('are slowed down after ten, for an account that exists and for one that does not', async () => {
    const { signIn } = await setUp();
    for (const address of [undefined, 'nobody@example.com']) {
      for (let i = 0; i < 10; i++) await expect(signIn('x', address)).rejects.toMatchObject(wrong);
      await expect(signIn('x', address)).rejects.toMatchObject(tooMany);
    }
  });

  it('never lock the owner out for longer than half a minute', async () => {
    const { clock, signIn } = await setUp();
    for (let i = 0; i < 500; i++) await signIn('x').catch(() => undefined);
    await expect(signIn(testPassword)).rejects.toMatchObject(tooMany);
    clock.advance(30_000);
    await expect(signIn(testPassword)).resolves.toBeDefined();
    // The correct password resets the count.
    for (let i = 0; i < 10; i++) await expect(signIn('x')).rejects.toMatchObject(wrong);
  });

  it('do not touch the owner at another address of the network', async () => {
    const { backend, email, signIn } = await setUp();
    const call = behindProxy(backend, 'signInWithPassword');
    const from = (address: string, password: string) => call(address, { email, password });
    for (let i = 0; i < 11; i++) await from('192.0.2.1', 'x');
    expect((await from('192.0.2.1', testPassword)).body).toMatchObject({
      error: { message: 'TOO_MANY_ATTEMPTS_TRY_LATER' },
    });
    expect((await from('192.0.2.2', testPassword)).status).toBe(200);
    await expect(signIn(testPassword)).resolves.toBeDefined();
  });

  it('one for each of many accounts is slowed down as well', async () => {
    const { signIn } = await setUp();
    for (let i = 0; i < 100; i++) {
      await expect(signIn('x', newEmail())).rejects.toMatchObject(wrong);
    }
    await expect(signIn('x', newEmail())).rejects.toMatchObject(tooMany);
  });

  it('many at once do not pass together', async () => {
    const { signIn } = await setUp();
    const all = await Promise.allSettled(Array.from({ length: 40 }, () => signIn('x')));
    const reasons = all.map((each) => (each.status === 'rejected' ? each.reason.code : 'in'));
    expect(reasons.filter((each) => each === wrong.code).length).toBe(10);
    expect(reasons.filter((each) => each === tooMany.code).length).toBe(30);
  });

  it('right ones are not counted', async () => {
    const { signIn } = await setUp();
    for (let i = 0; i < 30; i++) await signIn(testPassword);
    await expect(signIn(testPassword)).resolves.toBeDefined();
  });
});

describe('new accounts', () => {
  it('are made a hundred at once from one network address, and then slowly', async () => {
    const { backend } = await setUp();
    const refused = (message: string) => ({ body: { error: { message } } });
    const call = behindProxy(backend, 'signUp');
    const from = (address: string) =>
      call(address, { email: 'no address', password: testPassword });
    for (let i = 0; i < 100; i++) {
      expect(await from('192.0.2.1')).toMatchObject(refused('INVALID_EMAIL'));
    }
    expect(await from('192.0.2.1')).toMatchObject(refused('TOO_MANY_ATTEMPTS_TRY_LATER'));
    expect(await from('192.0.2.2')).toMatchObject(refused('INVALID_EMAIL'));
  });
});

/** The stored sign-ins of a browser, which outlive the page. */
const stored = new Map<string, unknown>();

class StoredPersistence implements Persistence {
  static readonly type = 'LOCAL';
  readonly type = 'LOCAL';
  readonly _shouldAllowMigration = true;
  _isAvailable = async () => true;
  _set = async (key: string, value: unknown) => void stored.set(key, value);
  _get = async (key: string) => stored.get(key) ?? null;
  _remove = async (key: string) => void stored.delete(key);
  _addListener = () => undefined;
  _removeListener = () => undefined;
}

/** A page of the app, which takes over the stored sign-in. */
function openPage(port: number) {
  const app = initializeApp({ apiKey: 'key', projectId: 'demo-pawpals' }, 'page');
  const auth = initializeAuth(app, { persistence: StoredPersistence });
  connectAuthEmulator(auth, `http://127.0.0.1:${port}`, { disableWarnings: true });
  const close = () => deleteApp(app);
  return { auth, close };
}

describe('a sign-in that is stored on the device', () => {
  it('is kept by a page that starts while the server refuses its requests for now', async () => {
    const dataDir = await tempFolder();
    const first = await startBackend({ dataDir });
    const page = openPage(first.port);
    const { user } = await createUserWithEmailAndPassword(page.auth, newEmail(), testPassword);
    await page.close();
    await first.stop();

    const noRoom = { owner: 0, stranger: 0, address: 0, all: 0 };
    const full = await startBackend({ dataDir, limits: { bodyBytes: noRoom } });
    const later = openPage(full.port);
    onTestFinished(later.close);
    await later.auth.authStateReady();
    expect(later.auth.currentUser?.uid).toBe(user.uid);
    expect([...stored.values()]).toMatchObject([{ uid: user.uid }]);
    // Without a sign-in to lose, the answer names the reason.
    const signingIn = signInWithEmailAndPassword(later.auth, newEmail(), testPassword);
    await expect(signingIn).rejects.toMatchObject(tooMany);
  });
});
