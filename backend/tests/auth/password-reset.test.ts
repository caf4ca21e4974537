import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  confirmPasswordReset,
  sendPasswordResetEmail,
  signInWithEmailAndPassword,
  validatePassword,
  verifyPasswordResetCode,
} from 'firebase/auth';
import { describe, expect, it } from 'vitest';
import type { BackendOptions } from '../../src/server.ts';
import { liteApp, liteUser } from '../support/clients/lite-user.ts';
import { mailFolder } from '../support/mail-folder.ts';
import { createManualClock } from '../support/fakes/manual-clock.ts';
import { rawClient } from '../support/clients/raw-client.ts';
import { testPassword } from '../support/clients/sdk-user.ts';
import { startBackend } from '../support/servers/start-backend.ts';
import { tempFolder } from '../support/temp-folder.ts';

const code = (wanted: string) => ({ code: `auth/${wanted}` });
const newPassword = 'Br4nd-new';

async function setUp(options: Partial<BackendOptions> = {}) {
  const clock = createManualClock(Date.now());
  const dataDir = await tempFolder();
  const printed: string[] = [];
  const logged: string[] = [];
  const keep = (event: string, fields = {}) => void logged.push(JSON.stringify([event, fields]));
  const log = { info: keep, warn: keep, error: keep };
  const printMail = (text: string) => void printed.push(text);
  const backend = await startBackend({ clock, dataDir, printMail, log, ...options });
  const owner = await liteUser(backend.port);
  const page = `http://localhost:${backend.port}/auth/login`;
  const ask = (email = owner.email) =>
    sendPasswordResetEmail(owner.auth, email, { url: page, handleCodeInApp: true });
  const mails = mailFolder(dataDir);
  let sent = 0;
  const askForCode = async () => {
    await ask();
    // The mails are one millisecond apart, so that the names of the files are in order.
    clock.advance(1);
    return (await mails.lastLink(++sent)).searchParams.get('oobCode') ?? '';
  };
  return { backend, clock, dataDir, printed, logged, owner, page, ask, askForCode, mails };
}

describe('the reset of a password', () => {
  it('is sent by the public name of the server, if it has one', async () => {
    const { mails, owner } = await setUp({ publicOrigin: 'https://pawpals.example' });
    await sendPasswordResetEmail(owner.auth, owner.email);
    const [mail = ''] = await mails.waitFor(1);
    expect(mail).toContain('From: PawPals <noreply@pawpals.example>\r\n');
  });

  it('sends a link to our page with a code that sets a new password once', async () => {
    const { backend, ask, mails, owner, page, printed } = await setUp();
    await ask();
    const link = await mails.lastLink(1);
    expect([link.origin, link.pathname]).toEqual([new URL(page).origin, '/auth/set-new-password']);
    expect(Object.fromEntries(link.searchParams)).toEqual({
      mode: 'resetPassword',
      oobCode: expect.stringMatching(/^[\w-]+\.[\w-]{43}$/),
      apiKey: 'key',
      continueUrl: page,
      lang: 'en',
    });
    const [mail = ''] = await mails.waitFor(1);
    expect(mail).toContain(`To: <${owner.email}>\r\n`);
    expect(mail).toContain('From: PawPals <noreply@localhost>\r\n');
    // It is printed a moment after the file can be read.
    await expect.poll(() => printed.join('\n')).toContain(link.href);

    const oobCode = link.searchParams.get('oobCode') ?? '';
    // Verifying a code does not consume it, and needs no sign-in.
    const { auth } = liteApp(backend.port);
    expect(await verifyPasswordResetCode(auth, oobCode)).toBe(owner.email);
    expect(await verifyPasswordResetCode(auth, oobCode)).toBe(owner.email);
    await confirmPasswordReset(auth, oobCode, newPassword);
    await expect(confirmPasswordReset(auth, oobCode, 'Th1rd-password')).rejects.toMatchObject(
      code('invalid-action-code'),
    );
    await expect(verifyPasswordResetCode(auth, oobCode)).rejects.toMatchObject(
      code('invalid-action-code'),
    );
    await expect(signInWithEmailAndPassword(auth, owner.email, testPassword)).rejects.toMatchObject(
      code('invalid-credential'),
    );
    const { user } = await signInWithEmailAndPassword(auth, owner.email, newPassword);
    expect([user.uid, user.emailVerified]).toEqual([owner.uid, true]);
  });

  it('ends every session there was', async () => {
    const { owner, askForCode } = await setUp();
    await confirmPasswordReset(owner.auth, await askForCode(), newPassword);
    await expect(owner.user.getIdToken(true)).rejects.toMatchObject(code('user-token-expired'));
  });

  it('a later code leaves the earlier good; using one ends both', async () => {
    const { owner, askForCode } = await setUp();
    const [first, second] = [await askForCode(), await askForCode()];
    expect(await verifyPasswordResetCode(owner.auth, first)).toBe(owner.email);
    await confirmPasswordReset(owner.auth, first, newPassword);
    await expect(confirmPasswordReset(owner.auth, second, testPassword)).rejects.toMatchObject(
      code('invalid-action-code'),
    );
  });

  it('of two who use one code at once, one gets in', async () => {
    const { owner, askForCode } = await setUp();
    const oobCode = await askForCode();
    const results = await Promise.allSettled([
      confirmPasswordReset(owner.auth, oobCode, newPassword),
      confirmPasswordReset(owner.auth, oobCode, 'Th1rd-password'),
    ]);
    expect(results.filter((each) => each.status === 'fulfilled').length).toBe(1);
  });

  it('a code expires after an hour', async () => {
    const { clock, owner, askForCode } = await setUp();
    const oobCode = await askForCode();
    clock.advance(3_599_000);
    expect(await verifyPasswordResetCode(owner.auth, oobCode)).toBe(owner.email);
    clock.advance(1000);
    await expect(confirmPasswordReset(owner.auth, oobCode, newPassword)).rejects.toMatchObject(
      code('expired-action-code'),
    );
  });

  it('a password that is refused leaves the code good', async () => {
    const { owner, askForCode } = await setUp();
    const oobCode = await askForCode();
    await expect(confirmPasswordReset(owner.auth, oobCode, 'weak')).rejects.toMatchObject(
      code('password-does-not-meet-requirements'),
    );
    await expect(confirmPasswordReset(owner.auth, oobCode, newPassword)).resolves.toBeUndefined();
  });

  it('codes outlive a restart', async () => {
    const { backend, dataDir, owner, askForCode } = await setUp();
    const oobCode = await askForCode();
    await backend.stop();
    const again = await startBackend({ dataDir });
    const { auth } = liteApp(again.port);
    await confirmPasswordReset(auth, oobCode, newPassword);
    await expect(signInWithEmailAndPassword(auth, owner.email, newPassword)).resolves.toBeDefined();
  });

  it('a code is worthless once the account is deleted, disabled or has another password', async () => {
    const { backend, owner, askForCode } = await setUp();
    const verify = (oobCode: string) => verifyPasswordResetCode(owner.auth, oobCode);
    const oobCode = await askForCode();
    await backend.accounts.setDisabled(owner.uid, true);
    await expect(verify(oobCode)).rejects.toMatchObject(code('user-disabled'));
    await backend.accounts.setDisabled(owner.uid, false);
    await expect(verify(oobCode)).resolves.toBe(owner.email);
    await backend.accounts.deleteUser(owner.uid);
    await expect(verify(oobCode)).rejects.toMatchObject(code('invalid-action-code'));
  });
});

describe('nobody learns by a reset', () => {
  it('whether an address has an account', async () => {
    const { backend, ask, mails, owner } = await setUp();
    await expect(ask('nobody@example.com')).resolves.toBeUndefined();
    const { account } = rawClient(backend);
    const answers = await Promise.all(
      [owner.email, 'nobody@example.com'].map((email) =>
        account('sendOobCode', { requestType: 'PASSWORD_RESET', email }),
      ),
    );
    const kind = 'identitytoolkit#GetOobConfirmationCodeResponse';
    expect(answers.map(({ status, body }) => ({ status, body }))).toEqual([
      { status: 200, body: { kind, email: owner.email } },
      { status: 200, body: { kind, email: 'nobody@example.com' } },
    ]);
    await backend.stop();
    expect((await mails.files()).length).toBe(1);
  });

  it('the code from a log, or from a file that others may read', async () => {
    const { askForCode, logged, mails } = await setUp();
    const oobCode = await askForCode();
    const [file = ''] = await mails.files();
    expect((await stat(join(mails.folder, file))).mode & 0o077).toBe(0);
    expect((await stat(mails.folder)).mode & 0o077).toBe(0);
    expect(logged.join('\n')).not.toContain(oobCode);
  });

  it('more than a few times an hour', async () => {
    const { ask, clock, mails } = await setUp();
    const refused = code('too-many-requests');
    for (let i = 0; i < 5; i++) await ask();
    await expect(ask()).rejects.toMatchObject(refused);
    // The limit is the same for an address without an account.
    for (let i = 0; i < 5; i++) await ask('nobody@example.com');
    await expect(ask('nobody@example.com')).rejects.toMatchObject(refused);
    await mails.waitFor(5);
    clock.advance(10 * 60_000);
    await expect(ask()).resolves.toBeUndefined();
  });

  it('and one address of the network asks for no more than thirty', async () => {
    const { ask, clock } = await setUp();
    for (let i = 0; i < 30; i++) await ask(`stranger-${i}@example.com`);
    const refused = code('too-many-requests');
    await expect(ask('one-more@example.com')).rejects.toMatchObject(refused);
    clock.advance(60_000);
    await expect(ask('one-more@example.com')).resolves.toBeUndefined();
  });

  it('and no mail leads to a stranger', async () => {
    const { backend, mails, owner } = await setUp();
    await expect(
      sendPasswordResetEmail(owner.auth, owner.email, { url: 'https://evil.example/x' }),
    ).rejects.toMatchObject(code('unauthorized-continue-uri'));
    const { origin } = rawClient(backend);
    const response = await fetch(
      `${origin}/identitytoolkit.googleapis.com/v1/accounts:sendOobCode?key=k`,
      {
        method: 'POST',
        body: JSON.stringify({ requestType: 'PASSWORD_RESET', email: owner.email }),
      },
    );
    expect(response.status).toBe(200);
    expect((await mails.lastLink(1)).origin).toBe(origin);
  });
});

describe('the password policy', () => {
  it('is the one the SDK checks with', async () => {
    const backend = await startBackend();
    const { auth } = liteApp(backend.port);
    expect(await validatePassword(auth, testPassword)).toMatchObject({ isValid: true });
    expect(await validatePassword(auth, 'short')).toMatchObject({
      isValid: false,
      meetsMinPasswordLength: false,
      containsLowercaseLetter: true,
      containsUppercaseLetter: false,
      containsNumericCharacter: false,
      containsNonAlphanumericCharacter: false,
    });
  });

  it.each(['Sh0r-', 'n0-upper', 'N0-LOWER', 'No-digit', 'N0special', `A-1${'a'.repeat(4094)}`])(
    'refuses %s',
    async (password) => {
      const backend = await startBackend();
      await expect(backend.accounts.createUser({ email: 'a@b.c', password })).rejects.toMatchObject(
        { code: 'PASSWORD_DOES_NOT_MEET_REQUIREMENTS' },
      );
    },
  );
});
