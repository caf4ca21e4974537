import { request } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { isJsonObject } from '../../src/json.ts';
import { mailFolder } from '../support/mail-folder.ts';
import { createManualClock } from '../support/fakes/manual-clock.ts';
import { bearer, rawClient } from '../support/clients/raw-client.ts';
import { testPassword, newEmail } from '../support/clients/sdk-user.ts';
import { startBackend } from '../support/servers/start-backend.ts';
import { tempFolder } from '../support/temp-folder.ts';

async function setUp() {
  const dataDir = await tempFolder();
  const lines: string[] = [];
  const keep = (event: string, fields = {}) => void lines.push(JSON.stringify([event, fields]));
  const log = { info: keep, warn: keep, error: keep };
  const backend = await startBackend({
    dataDir,
    log,
    clock: createManualClock(Date.now()),
    chooserCode: 'ABCDE23456',
  });
  const client = rawClient(backend);
  return { backend, client, dataDir, lines, ...(await client.signUp()) };
}

/** Complete, valid bodies by method; the test replaces one member by a hostile value. */
const bodies = (facts: { idToken: string; email: string }) => ({
  signUp: { email: newEmail(), password: testPassword, displayName: 'Rex' },
  signInWithPassword: { email: facts.email, password: testPassword },
  lookup: { idToken: facts.idToken },
  update: { idToken: facts.idToken, displayName: 'Rex', photoUrl: 'x', deleteAttribute: [] },
  sendOobCode: { requestType: 'PASSWORD_RESET', email: facts.email, continueUrl: '' },
  resetPassword: { oobCode: 'abc', newPassword: testPassword },
  createAuthUri: { identifier: facts.email, continueUri: 'http://localhost' },
  signInWithIdp: { postBody: 'providerId=google.com&id_token=abc', requestUri: 'http://localhost' },
});

const strange: readonly unknown[] = [
  null,
  0,
  -1,
  1e308,
  true,
  [],
  [['a']],
  {},
  { toString: 'x' },
  { $ne: null },
  '',
  ' ',
  '\0',
  '\r\nBcc: everybody@example.com',
  '\u202e',
  '\ud800',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  'x'.repeat(90_000),
];

describe('each member of each method', () => {
  it('with any strange value is answered with a code, never with a failure or a stranger’s data', async () => {
    const { client, lines, idToken, email } = await setUp();
    for (const [method, body] of Object.entries(bodies({ idToken, email }))) {
      for (const key of Object.keys(body)) {
        for (const value of strange) {
          const { status, text } = await client.account(method, { ...body, [key]: value });
          const what = `${method} ${key} ${JSON.stringify(value).slice(0, 40)}`;
          // The mails of one network address have a limit.
          expect([what, [200, 400, 429].includes(status)]).toEqual([what, true]);
          expect([what, /at .*\.ts|node_modules|Error:/.test(text)]).toEqual([what, false]);
        }
      }
    }
    expect(lines).toEqual([]);
    // The signed-in user is still signed in.
    expect((await client.account('lookup', { idToken })).status).toBe(200);
  });

  it.each(['', '{', '[]', 'null', '"text"', '1', '{"email":', '\0', '[[[[', '{"a":1}}'])(
    'the body %j is no JSON object',
    async (body) => {
      const { client } = await setUp();
      const path = '/identitytoolkit.googleapis.com/v1/accounts:signUp?key=k';
      const response = await client.post(path, body);
      expect([response.status, JSON.parse(response.text)]).toMatchObject([
        400,
        { error: { code: 400 } },
      ]);
    },
  );

  it('prototype keys are members like any other', async () => {
    const { client } = await setUp();
    const path = '/identitytoolkit.googleapis.com/v1/accounts:signUp?key=k';
    const body = `{"__proto__":{"email":"a@b.c","password":"${testPassword}"},"constructor":1}`;
    expect((await client.post(path, body)).status).toBe(400);
    for (const method of ['__proto__', 'toString', 'hasOwnProperty', 'constructor']) {
      expect((await client.account(method, {})).body).toMatchObject({
        error: { message: 'OPERATION_NOT_ALLOWED' },
      });
    }
    expect(Object.hasOwn(Object.prototype, 'email')).toBe(false);
  });

  it('a body beyond the limit, or another method of HTTP, is refused', async () => {
    const { client } = await setUp();
    const path = '/identitytoolkit.googleapis.com/v1/accounts:signUp?key=k';
    expect((await client.post(path, 'x'.repeat(200_000))).status).toBe(413);
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
      expect((await fetch(client.origin + path, { method })).status).toBe(404);
    }
  });

  it('a name too long for a header of a later request is refused', async () => {
    const { client, idToken, uid } = await setUp();
    const long = 'x'.repeat(257);
    for (const body of [{ displayName: long }, { photoUrl: long.repeat(10) }]) {
      expect((await client.account('update', { idToken, ...body })).status).toBe(400);
    }
    const documents = [`${client.documents.slice('/v1/'.length)}/sync/${uid}`];
    const read = await client.firestore('batchGet', { documents }, idToken);
    expect(read.status).toBe(200);
  });
});

describe('what belongs to another', () => {
  it('a refresh token gives its own user’s token, and nothing after a change of one character', async () => {
    const { client, uid, refreshToken } = await setUp();
    const other = await client.signUp();
    const answer: unknown = JSON.parse((await client.refresh(other.refreshToken)).text);
    expect(answer).toMatchObject({ user_id: other.uid });
    expect(other.uid).not.toBe(uid);
    const last = refreshToken.at(-1) === 'A' ? 'B' : 'A';
    const changed = await client.refresh(refreshToken.slice(0, -1) + last);
    expect(changed.status).toBe(400);
    // ID tokens and codes are not accepted as refresh tokens, nor vice versa.
    expect((await client.refresh(other.idToken)).status).toBe(400);
    expect((await client.account('lookup', { idToken: refreshToken })).status).toBe(400);
    expect((await client.account('resetPassword', { oobCode: refreshToken })).body).toMatchObject({
      error: { message: 'INVALID_OOB_CODE' },
    });
    const read = await client.firestore('batchGet', { documents: [] }, refreshToken);
    expect(read.status).toBe(401);
  });

  it('a code of another server is unknown, and a code is no token', async () => {
    const [here, there] = [await setUp(), await setUp()];
    await there.client.account('sendOobCode', {
      requestType: 'PASSWORD_RESET',
      email: there.email,
    });
    const oobCode = (await mailFolder(there.dataDir).lastLink(1)).searchParams.get('oobCode') ?? '';
    expect((await there.client.account('resetPassword', { oobCode })).status).toBe(200);
    expect((await here.client.account('resetPassword', { oobCode })).body).toMatchObject({
      error: { message: 'INVALID_OOB_CODE' },
    });
    expect((await there.client.refresh(oobCode)).status).toBe(400);
    const { status } = await there.client.json(
      `${there.client.documents}:batchGet`,
      { documents: [] },
      bearer(oobCode),
    );
    expect(status).toBe(401);
  });

  it('no answer holds a hash, and no log a secret or an address', async () => {
    const { backend, client, lines, email, idToken, refreshToken } = await setUp();
    const answers = [
      await client.account('lookup', { idToken }),
      await client.account('signInWithPassword', { email, password: testPassword }),
      await client.account('update', { idToken, displayName: 'x' }),
      await client.account('sendOobCode', { requestType: 'PASSWORD_RESET', email }),
    ];
    for (const { text } of answers) {
      expect(text).not.toMatch(/salt|passwordHash|"cost"/);
      expect(text).not.toContain(testPassword);
    }
    backend.accounts.onDeleted(() => Promise.reject(new Error(`${email} ${idToken}`)));
    expect((await client.account('delete', { idToken })).status).toBe(200);
    await vi.waitFor(() => expect(lines.join('\n')).toContain('account clean-up failed'));
    for (const secret of [email, idToken, refreshToken, testPassword]) {
      expect(lines.join('\n')).not.toContain(secret);
    }
  });
});

describe('a name that is not this machine’s', () => {
  it('neither chooses an account nor sees who was here (DNS rebinding)', async () => {
    const { backend } = await setUp();
    const ask = (method: string, path: string, headers: Record<string, string>) =>
      new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
        const options = { method, path, headers, host: '127.0.0.1', port: backend.port };
        const call = request(options, (response) => {
          let text = '';
          response.on('data', (chunk: Buffer) => (text += chunk.toString()));
          response.on('end', () => resolve({ status: response.statusCode, text }));
        });
        call.on('error', reject);
        call.end(method === 'POST' ? '{"email":"a@b.c"}' : undefined);
      });
    const host = 'evil.example';
    const json = { 'content-type': 'application/json', cookie: 'pawpals-chooser=ABCDE23456' };
    const foreign = { host, origin: `http://${host}`, ...json };
    expect((await ask('POST', '/emulator/auth/choose', foreign)).status).toBe(421);
    expect((await ask('GET', '/emulator/auth/handler', { host })).status).toBe(421);
    const own = `localhost:${backend.port}`;
    const good = { host: own, origin: `http://${own}`, ...json };
    const answer: unknown = JSON.parse((await ask('POST', '/emulator/auth/choose', good)).text);
    expect(isJsonObject(answer) && typeof answer['idToken']).toBe('string');
  });

  it('does not get into the link of a mail', async () => {
    const { client, dataDir, email } = await setUp();
    const path = '/identitytoolkit.googleapis.com/v1/accounts:sendOobCode?key=k';
    const headers = { 'X-Forwarded-Host': 'evil.example', Origin: 'http://localhost:5173' };
    await client.json(path, { requestType: 'PASSWORD_RESET', email }, headers);
    const link = await mailFolder(dataDir).lastLink(1);
    expect(link.origin).toBe('http://localhost:5173');
  });
});
