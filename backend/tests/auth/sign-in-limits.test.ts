import { signInWithEmailAndPassword } from 'firebase/auth';
import { describe, expect, it } from 'vitest';
import { liteApp, liteUser } from '../support/clients/lite-user.ts';
import { createManualClock } from '../support/fakes/manual-clock.ts';
import { rawClient } from '../support/clients/raw-client.ts';
import { testPassword, newEmail } from '../support/clients/sdk-user.ts';
import { startBackend } from '../support/servers/start-backend.ts';

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
