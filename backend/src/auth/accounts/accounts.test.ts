import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../tests/support/fakes/manual-clock.ts';
import { createMemoryStore } from '../../../tests/support/fakes/memory-store.ts';
import { tempFolder } from '../../../tests/support/temp-folder.ts';
import { createResources } from '../../limits/resources.ts';
import { silentLog } from '../../log.ts';
import type { Mail } from '../passwords/mailbox.ts';
import { createPasswordReset } from '../passwords/password-reset.ts';
import type { PasswordHash, Passwords } from '../passwords/passwords.ts';
import { createSessions } from '../tokens/sessions.ts';
import { loadSigningKey } from '../tokens/signing-key.ts';
import { withPassword, withoutSessions } from './account.ts';
import { createAccountStore } from './account-store.ts';
import { createAccounts } from './accounts.ts';
import { createDeletions } from './deletions.ts';

const address = '192.0.2.1';
const robin = { email: 'robin@example.com', password: 'F1rst-password' };
const hashOf = (password: string): PasswordHash => ({ salt: '', hash: password, cost: 1 });

/** Passwords whose hash is the password. Work on one that is held waits until it is released. */
function createHeldPasswords() {
  const held = new Map<string, { began: () => void; gate: Promise<void> }>();
  const work = async (password: string) => {
    const hold = held.get(password);
    hold?.began();
    await hold?.gate;
  };
  const passwords: Passwords = {
    async hash(password) {
      await work(password);
      return hashOf(password);
    },
    async verify(password, stored) {
      await work(password);
      return stored?.hash === password;
    },
  };
  /** @returns `begun`, which resolves when there is work on the password, and `release`, which lets it end. */
  const hold = (password: string) => {
    const releases: (() => void)[] = [];
    const gate = new Promise<void>((resolve) => releases.push(resolve));
    const begun = new Promise<void>((began) => held.set(password, { began, gate }));
    return { begun, release: () => releases.forEach((each) => each()) };
  };
  return { passwords, hold };
}

async function setUp() {
  const [memory, clock] = [createMemoryStore(), createManualClock()];
  const nowMs = () => clock.now();
  const key = await loadSigningKey(join(await tempFolder(), 'signing-key.pem'));
  const store = createAccountStore(memory);
  const { passwords, hold } = createHeldPasswords();
  const sessions = createSessions({
    store,
    key,
    projectId: 'demo-pawpals',
    nowMs,
    recentLoginSeconds: 300,
  });
  const known = { store, passwords, resources: createResources({ clock }), nowMs };
  const deletions = createDeletions({ store: memory, clock, log: silentLog });
  const accounts = createAccounts({ ...known, sessions, deletions, takesSignUps: true });
  const mails: Mail[] = [];
  const mailbox = { deliver: async (mail: Mail) => void mails.push(mail) };
  const passwordReset = createPasswordReset({ ...known, key, mailbox, log: silentLog });
  const resetCode = async (): Promise<string> => {
    const origin = 'https://pawpals.example';
    passwordReset.request({ email: robin.email, address, apiKey: 'key', origin, continueUrl: '' });
    await passwordReset.settled();
    const link = mails.at(-1)?.lines.find((line) => line.startsWith(origin)) ?? '';
    return new URL(link).searchParams.get('oobCode') ?? '';
  };
  const { account, idToken } = await accounts.signUp(robin, address);
  const { uid } = account;
  return { store, clock, sessions, accounts, hold, passwordReset, resetCode, uid, idToken };
}

describe('while a password is being hashed', () => {
  it('a sign-in with one that is replaced meanwhile is refused', async () => {
    const { store, clock, accounts, hold, uid } = await setUp();
    const checking = hold(robin.password);
    const signIn = accounts.signIn(robin, address);
    await checking.begun;
    await store.change(uid, (now) => withPassword(now, hashOf('Sec0nd-password'), clock.now()));
    checking.release();
    await expect(signIn).rejects.toMatchObject({ code: 'INVALID_LOGIN_CREDENTIALS' });
  });

  it('a sign-in whose account is taken over meanwhile is refused', async () => {
    const { store, clock, accounts, hold, uid } = await setUp();
    const checking = hold(robin.password);
    const signIn = accounts.signIn(robin, address);
    await checking.begun;
    await store.change(uid, (now) => ({ ...withoutSessions(now, clock.now()), password: null }));
    checking.release();
    await expect(signIn).rejects.toMatchObject({ code: 'INVALID_LOGIN_CREDENTIALS' });
  });

  it('a sign-in to an account that is deleted or disabled meanwhile is refused', async () => {
    const { accounts, hold, uid } = await setUp();
    const checking = hold(robin.password);
    const early = accounts.signIn(robin, address);
    await checking.begun;
    await accounts.admin.setDisabled(uid, true);
    checking.release();
    await expect(early).rejects.toMatchObject({ code: 'USER_DISABLED' });
    await accounts.admin.setDisabled(uid, false);
    const again = hold(robin.password);
    const late = accounts.signIn(robin, address);
    await again.begun;
    await accounts.admin.deleteUser(uid);
    again.release();
    await expect(late).rejects.toMatchObject({ code: 'INVALID_LOGIN_CREDENTIALS' });
  });

  it('a session that a reset ends cannot set another password behind its back', async () => {
    const { store, accounts, hold, passwordReset, resetCode, uid, idToken } = await setUp();
    const code = await resetCode();
    const hashing = hold('Th1rd-password');
    const change = { displayName: undefined, photoUrl: undefined, password: 'Th1rd-password' };
    const update = accounts.update(idToken, change, address);
    await hashing.begun;
    await passwordReset.confirm(code, 'Br4nd-new', address);
    hashing.release();
    await expect(update).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
    expect(store.byUid(uid)?.password?.hash).toBe('Br4nd-new');
  });
});

describe('after the clock was set back', () => {
  const newPassword = { displayName: undefined, photoUrl: undefined, password: 'Sec0nd-password' };
  const setUpStep = async (stepMs: number) => {
    const setup = await setUp();
    const { clock, accounts } = setup;
    clock.advance(stepMs + 7000);
    const ahead = await accounts.signIn(robin, address);
    clock.set(clock.now() - stepMs);
    return { ...setup, ahead };
  };
  type SetUp = Awaited<ReturnType<typeof setUpStep>>;
  const revocations: Record<string, (setup: SetUp) => Promise<unknown>> = {
    async 'a new password'({ accounts }) {
      const owner = await accounts.signIn(robin, address);
      return accounts.update(owner.idToken, newPassword, address);
    },
    'a reset': async ({ passwordReset, resetCode }) =>
      passwordReset.confirm(await resetCode(), newPassword.password, address),
    async 'disabling and enabling the account'({ accounts, uid }) {
      await accounts.admin.setDisabled(uid, true);
      await accounts.admin.setDisabled(uid, false);
    },
  };

  it.each(Object.entries(revocations))('%s ends a session of before', async (_, revoke) => {
    const setup = await setUpStep(3000);
    await revoke(setup);
    const { sessions, clock, ahead } = setup;
    const refused = { code: 'TOKEN_EXPIRED' };
    await expect(sessions.authenticate(ahead.idToken)).rejects.toMatchObject(refused);
    clock.advance(24 * 3_600_000);
    await expect(sessions.refresh(ahead.refreshToken)).rejects.toMatchObject(refused);
  });

  it('a sign-in is recent for five minutes, and not until the clock has caught up', async () => {
    const { clock, sessions, accounts, ahead } = await setUpStep(48 * 3_600_000);
    clock.advance(5 * 3_600_000);
    const { idToken } = await sessions.refresh(ahead.refreshToken);
    await expect(accounts.update(idToken, newPassword, address)).rejects.toMatchObject({
      code: 'CREDENTIAL_TOO_OLD_LOGIN_AGAIN',
    });
    const again = await accounts.signIn(robin, address);
    await expect(accounts.update(again.idToken, newPassword, address)).resolves.toBeDefined();
  });
});
