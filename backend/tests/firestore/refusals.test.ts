import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeJwt, SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { isJsonObject } from '../../src/json.ts';
import type { LogFields } from '../../src/log.ts';
import { databaseNames } from '../support/test-database.ts';
import { createManualClock } from '../support/fakes/manual-clock.ts';
import { bearer, rawClient } from '../support/clients/raw-client.ts';
import { startBackend } from '../support/servers/start-backend.ts';
import { tempFolder } from '../support/temp-folder.ts';

const error = (status: number, name: string, message?: RegExp) => ({
  status,
  body: { error: { code: status, status: name, message: expect.stringMatching(message ?? /./) } },
});

async function setUp() {
  const clock = createManualClock(Date.now());
  const dataDir = await tempFolder();
  const lines: string[] = [];
  const keep = (event: string, fields: LogFields = {}) =>
    void lines.push(JSON.stringify({ event, ...fields }));
  const backend = await startBackend({
    clock,
    dataDir,
    log: { info: keep, warn: keep, error: keep },
  });
  const client = rawClient(backend);
  return { backend, client, clock, dataDir, lines, ...(await client.signUp()) };
}

const pet = (id: string, ownerId: string, fields = {}) => ({
  update: {
    name: databaseNames.toName(`pets/${id}`),
    fields: { ownerId: { stringValue: ownerId }, ...fields },
  },
});

describe('tokens', () => {
  const anything = { documents: [databaseNames.toName('pets/a')] };

  it('the real one is accepted', async () => {
    const { client, idToken } = await setUp();
    expect((await client.firestore('batchGet', anything, idToken)).status).toBe(200);
  });

  it('forged ones are refused by Firestore and by Auth', async () => {
    const { client, dataDir, idToken } = await setUp();
    const { exp: _, ...claims } = decodeJwt(idToken);
    const ourKey = createPrivateKey(await readFile(join(dataDir, 'signing-key.pem'), 'utf8'));
    const { privateKey: foreignKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const sign = (payload: Record<string, unknown>, key = ourKey) =>
      new SignJWT(payload).setProtectedHeader({ alg: 'RS256' }).setExpirationTime('1h').sign(key);
    const [header = '', payload = ''] = idToken.split('.');
    const secret = new TextEncoder().encode('a shared secret of some length..');
    const forged = {
      unsigned: new UnsecuredJWT(claims).setExpirationTime('1h').encode(),
      'without signature': `${header}.${payload}.`,
      'foreign key': await sign(claims, foreignKey),
      'shared secret': await new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256' })
        .setExpirationTime('1h')
        .sign(secret),
      'other algorithm': await new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS512' })
        .setExpirationTime('1h')
        .sign(ourKey),
      'other audience': await sign({ ...claims, aud: 'other' }),
      'other issuer': await sign({ ...claims, iss: 'https://example.com' }),
      'no expiry': await new SignJWT(claims).setProtectedHeader({ alg: 'RS256' }).sign(ourKey),
      'unknown user': await sign({ ...claims, sub: 'nobody' }),
      malformed: 'abc',
      owner: 'owner',
    };
    // Without a fault the same builder is accepted, so each refusal has exactly the stated reason.
    expect((await client.firestore('batchGet', anything, await sign(claims))).status).toBe(200);
    for (const [name, token] of Object.entries(forged)) {
      const refusal = await client.firestore('batchGet', anything, token);
      expect([name, refusal.status]).toEqual([name, 401]);
      expect(refusal.body).toMatchObject([{ error: { status: 'UNAUTHENTICATED' } }]);
      const lookup = await client.account('lookup', { idToken: token });
      expect([name, lookup.status]).toEqual([name, 400]);
    }
  });

  it('an expired one is refused, and a refreshed one is accepted', async () => {
    const { client, clock, idToken } = await setUp();
    clock.advance(3_599_000);
    expect((await client.firestore('batchGet', anything, idToken)).status).toBe(200);
    clock.advance(2000);
    expect((await client.firestore('batchGet', anything, idToken)).status).toBe(401);
    expect((await client.account('lookup', { idToken })).body).toMatchObject({
      error: { code: 400, message: 'TOKEN_EXPIRED' },
    });
  });

  it('no password and no refresh token is stored', async () => {
    const { backend, dataDir } = await setUp();
    const { body } = await rawClient(backend).account('signUp', {
      email: 'hidden@example.com',
      password: 'A-very-s3cret-password',
    });
    const refreshToken = isJsonObject(body) ? String(body['refreshToken']) : '';
    await backend.stop();
    const files = await readdir(join(dataDir, 'db'));
    const contents = await Promise.all(files.map((each) => readFile(join(dataDir, 'db', each))));
    const stored = Buffer.concat(contents).toString('latin1');
    expect(stored).toContain('hidden@example.com');
    expect(stored).not.toContain('A-very-s3cret-password');
    expect(refreshToken).toMatch(/^[\w-]+\.[\w-]{43}$/);
    expect(stored).not.toContain(refreshToken);
  });
});

describe('accounts', () => {
  it.each([
    ['signUp', { email: 'a@b.c' }, 'MISSING_PASSWORD'],
    ['signUp', { password: 'Secret-1' }, 'MISSING_EMAIL'],
    ['signUp', {}, 'OPERATION_NOT_ALLOWED'],
    ['signUp', { email: ['a@b.c'], password: 'Secret-1' }, 'MISSING_EMAIL'],
    ['signUp', { email: 'a b@c', password: 'Secret-1' }, 'INVALID_EMAIL'],
    [
      'signUp',
      { email: 'a@b.c', password: '12345' },
      'PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing password requirements: [Password must contain at least 6 characters, Password must contain a lower case character, Password must contain an upper case character, Password must contain a non-alphanumeric character]',
    ],
    ['signInWithPassword', { email: 'a@b.c', password: '' }, 'MISSING_PASSWORD'],
    ['signInWithPassword', { email: 'a@b.c', password: 'unknown' }, 'INVALID_LOGIN_CREDENTIALS'],
    ['lookup', {}, 'MISSING_ID_TOKEN'],
    ['update', { idToken: 'x', email: 'new@b.c' }, 'OPERATION_NOT_ALLOWED'],
    ['constructor', {}, 'OPERATION_NOT_ALLOWED'],
  ])('%s with %j is %s', async (method, body, message) => {
    const { client } = await setUp();
    const response = await client.account(method, body);
    expect(response.body).toEqual({
      error: { code: 400, message, errors: [{ message, reason: 'invalid', domain: 'global' }] },
    });
  });

  it('createAuthUri says the same of every address', async () => {
    const { client, email } = await setUp();
    const ask = async (identifier: string) =>
      (await client.account('createAuthUri', { identifier, continueUri: 'http://localhost' })).body;
    const anything = {
      kind: 'identitytoolkit#CreateAuthUriResponse',
      sessionId: expect.any(String),
    };
    expect(await ask('nobody@example.com')).toEqual(anything);
    expect(await ask(email)).toEqual(anything);
  });

  it.each([
    ['grant_type=refresh_token&refresh_token=abc', 'INVALID_REFRESH_TOKEN'],
    ['grant_type=refresh_token', 'MISSING_REFRESH_TOKEN'],
    ['grant_type=password', 'INVALID_GRANT_TYPE'],
  ])('a token request of %s is %s', async (form, message) => {
    const { client } = await setUp();
    const response = await client.post('/securetoken.googleapis.com/v1/token?key=k', form);
    expect([response.status, JSON.parse(response.text)]).toMatchObject([
      400,
      { error: { message } },
    ]);
  });
});

describe('commits', () => {
  it('a document of 2 MB names the limit', async () => {
    const { client, idToken, uid } = await setUp();
    const text = { stringValue: 'x'.repeat(2_000_000) };
    const response = await client.firestore(
      'commit',
      { writes: [pet('a', uid, { text })] },
      idToken,
    );
    expect(response).toMatchObject(error(400, 'INVALID_ARGUMENT', /1 MiB/));
  });

  it('a request of more than 10 MiB is answered, also while it is still being sent', async () => {
    const { client, idToken } = await setUp();
    const body = `{"writes":[],"padding":"${'x'.repeat(12 * 1024 * 1024)}"}`;
    const response = await client.post(`${client.documents}:commit`, body, bearer(idToken));
    expect(response.status).toBe(413);
    expect(JSON.parse(response.text)).toMatchObject(error(413, 'INVALID_ARGUMENT', /limit/).body);
  });

  it('a request of more than 2 MiB needs a sign-in', async () => {
    const { client, idToken } = await setUp();
    const body = JSON.stringify({ writes: [], padding: 'x'.repeat(3 * 1024 * 1024) });
    const path = `${client.documents}:commit`;
    expect((await client.post(path, body)).status).toBe(413);
    expect((await client.post(path, body, bearer(idToken))).status).toBe(200);
  });

  it.each([
    ['broken JSON', '{"writes":['],
    ['a percent sign that is no JSON', '%7B%'],
    ['a list', '[]'],
    ['100,000 levels', `{"writes":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    [
      '100,000 levels of a value',
      `{"writes":[{"update":{"name":"${databaseNames.toName('pets/a')}","fields":{"a":${'{"mapValue":{"fields":{"a":'.repeat(100_000)}null${'}}}'.repeat(100_000)}}}}]}`,
    ],
    [
      'a field called __proto__',
      `{"writes":[{"update":{"name":"${databaseNames.toName('pets/a')}","fields":{"__proto__":{"integerValue":"1"}}}}]}`,
    ],
    [
      'a mask on __proto__',
      `{"writes":[{"update":{"name":"${databaseNames.toName('pets/a')}"},"updateMask":{"fieldPaths":["__proto__.polluted"]}}]}`,
    ],
    [
      'a document of another project',
      '{"writes":[{"delete":"projects/other/databases/(default)/documents/pets/a"}]}',
    ],
    ['a collection path', `{"writes":[{"delete":"${databaseNames.toName('pets')}"}]}`],
  ])('%s is INVALID_ARGUMENT', async (_name, body) => {
    const { client, idToken, lines } = await setUp();
    const response = await client.post(`${client.documents}:commit`, body, bearer(idToken));
    expect(response.status).toBe(400);
    expect(JSON.parse(response.text)).toMatchObject(error(400, 'INVALID_ARGUMENT').body);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect(lines).toEqual([]);
  });

  it('what is not served says so', async () => {
    const { client, idToken } = await setUp();
    for (const method of ['beginTransaction', 'executePipeline', 'toString', 'batchWrite']) {
      expect(await client.firestore(method, {}, idToken)).toMatchObject(
        error(501, 'UNIMPLEMENTED'),
      );
    }
    const response = await client.firestore(
      'batchGet',
      { documents: [], transaction: 'x' },
      idToken,
    );
    expect(response.body).toMatchObject([{ error: { status: 'UNIMPLEMENTED' } }]);
    for (const method of ['GET', 'PATCH', 'DELETE', 'POST', 'PUT']) {
      const plain = await fetch(`${client.origin}${client.documents}/pets/a`, {
        method,
        headers: bearer(idToken),
      });
      expect(await plain.json()).toMatchObject({ error: { status: 'UNIMPLEMENTED' } });
    }
  });

  it('a path that is not properly encoded is refused', async () => {
    const { client, idToken } = await setUp();
    const response = await client.post(
      `${client.documents}/pets/%E0%A4%A:runQuery`,
      '{}',
      bearer(idToken),
    );
    expect(response.status).toBe(400);
  });
});

describe('queries', () => {
  it('on what one may not list are PERMISSION_DENIED, in a list as their answers are', async () => {
    const { client, idToken } = await setUp();
    for (const collectionId of ['users', 'pets', 'sync', 'anything']) {
      const response = await client.firestore(
        'runQuery',
        { structuredQuery: { from: [{ collectionId }] } },
        idToken,
      );
      expect(response.status).toBe(403);
      expect(response.body).toEqual([error(403, 'PERMISSION_DENIED').body]);
    }
  });
});

describe('channels', () => {
  const listen = '/google.firestore.v1.Firestore/Listen/channel';

  it('an unknown session makes the client open a new one', async () => {
    const { client } = await setUp();
    const response = await client.post(`${listen}?VER=8&SID=nothing&RID=1&AID=0`, 'count=0');
    expect([response.status, response.text]).toEqual([400, 'Error: Unknown SID']);
  });

  it('carry the headers a browser needs to stream', async () => {
    const { client } = await setUp();
    const handshake = await client.post(`${listen}?VER=8&RID=1&CVER=22`, 'count=0');
    const sid = /\["c","([^"]+)"/.exec(handshake.text)?.[1];
    const stop = new AbortController();
    const response = await fetch(`${client.origin}${listen}?VER=8&RID=rpc&SID=${sid}&AID=0&CI=0`, {
      signal: stop.signal,
    });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-accel-buffering': 'no',
    });
    expect(response.headers.get('content-encoding')).toBeNull();
    stop.abort();
  });

  it('a bad token is told in-band, as UNAUTHENTICATED', async () => {
    const { client } = await setUp();
    const headers = encodeURIComponent('Authorization:Bearer nonsense\r\n');
    const handshake = await client.post(`${listen}?VER=8&RID=1`, `headers=${headers}&count=0`);
    const sid = /\["c","([^"]+)"/.exec(handshake.text)?.[1];
    const response = await fetch(`${client.origin}${listen}?VER=8&RID=rpc&SID=${sid}&AID=0&CI=1`);
    expect(await response.text()).toMatch(/"status":"UNAUTHENTICATED"/);
  });
});

describe('origins', () => {
  const ask = async (origin: string, publicOrigin?: string) => {
    const backend = await startBackend(publicOrigin === undefined ? {} : { publicOrigin });
    const client = rawClient(backend);
    const headers = { Origin: origin.replace('PORT', String(backend.port)) };
    const rest = await client.post(`${client.documents}:commit`, '{}', headers);
    const channel = await client.post(
      '/google.firestore.v1.Firestore/Write/channel?VER=8&RID=1',
      'count=0',
      headers,
    );
    return { statuses: [rest.status, channel.status], headers: rest.headers, sent: headers.Origin };
  };

  it.each([
    'http://localhost:1234',
    'http://127.0.0.1:PORT',
    'https://[::1]',
    // These are the origins of the native wrapper.
    'https://localhost',
    'capacitor://localhost',
  ])('%s is allowed', async (origin) => {
    const { statuses, headers, sent } = await ask(origin);
    expect(statuses).toEqual([200, 200]);
    expect(headers.get('access-control-allow-origin')).toBe(sent);
    expect(headers.get('access-control-allow-credentials')).toBe('true');
  });

  it.each(['https://evil.example', 'http://localhost.evil.example', 'null'])(
    '%s is refused',
    async (origin) => {
      const { statuses, headers } = await ask(origin);
      expect(statuses).toEqual([403, 403]);
      expect(headers.get('access-control-allow-origin')).toBeNull();
    },
  );

  it('the public one is allowed', async () => {
    expect((await ask('https://app.example', 'https://app.example')).statuses).toEqual([200, 200]);
  });

  it('a preflight is answered with what it asks for', async () => {
    const client = rawClient(await startBackend());
    const response = await fetch(`${client.origin}${client.documents}:commit`, {
      method: 'OPTIONS',
      headers: {
        Origin: 'http://localhost:5173',
        'Access-Control-Request-Headers': 'authorization,x-goog-api-key',
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-headers')).toBe(
      'authorization,x-goog-api-key',
    );
    expect(response.headers.get('access-control-allow-methods')).toBe(
      'GET, POST, PATCH, DELETE, OPTIONS',
    );
  });
});
