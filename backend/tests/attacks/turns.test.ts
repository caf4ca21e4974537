import { signInWithEmailAndPassword } from 'firebase/auth';
import { describe, expect, it } from 'vitest';
import { liteApp } from '../support/clients/lite-user.ts';
import { rawChannel } from '../support/clients/raw-channel.ts';
import { bearer, rawClient } from '../support/clients/raw-client.ts';
import { testPassword, newEmail } from '../support/clients/sdk-user.ts';
import { createManualClock } from '../support/fakes/manual-clock.ts';
import {
  all,
  int,
  list,
  setWrite,
  str,
  structuredQuery,
  where,
} from '../support/firestore-json.ts';
import { startBackend } from '../support/servers/start-backend.ts';
import { databaseNames } from '../support/test-database.ts';

/** These attacks delay other clients: S7, S9 and S11, and long texts. */
const from = (address: string) => ({ 'X-Forwarded-For': address });

it('S7: listeners of one owner slow no commit of another', async () => {
  const backend = await startBackend();
  const client = rawClient(backend);
  const [attacker, owner] = [await client.signUp(), await client.signUp()];
  // A number gives two cases, since 1 equals 1.0: each target has 200.
  const numbers = (first: number) =>
    list(...Array.from({ length: 25 }, (_, at) => int(first + at)));
  const targets = (stream: number) =>
    Array.from({ length: 500 }, (_, at) => ({
      addTarget: {
        targetId: at + 1,
        query: {
          parent: databaseNames.documents,
          structuredQuery: structuredQuery('pets', {
            where: all(
              where('ownerId', 'EQUAL', str(attacker.uid)),
              where('a', 'IN', numbers(stream)),
              where('b', 'EQUAL', int(at)),
              where('c', 'EQUAL', int(at)),
            ),
          }),
        },
      },
    }));
  const channel = rawChannel(client, 'Listen');
  let added = 0;
  for (let stream = 0; stream < 4; stream++) {
    const open = await channel.open(targets(stream), attacker.idToken);
    const answer = await open.next();
    added += answer.match(/"targetChangeType":"ADD"/g)?.length ?? 0;
  }
  expect(added).toBeGreaterThan(0);
  expect(added).toBeLessThanOrEqual(500);
  const write = { writes: [setWrite('pets/rex', { ownerId: str(owner.uid) })] };
  const beganMs = performance.now();
  for (let at = 0; at < 5; at++) {
    expect((await client.firestore('commit', write, owner.idToken)).status).toBe(200);
  }
  expect((performance.now() - beganMs) / 5).toBeLessThan(1000);
});

describe('S9: handshakes without end', () => {
  const target = {
    addTarget: { targetId: 2, documents: { documents: [databaseNames.toName('sync/x')] } },
  };

  it('do not take the sessions of owners, from however many addresses', async () => {
    const clock = createManualClock(Date.now());
    const backend = await startBackend({
      clock,
      isBehindProxy: true,
      limits: { sessions: { owner: 10, stranger: 30, address: 40, all: 100 } },
    });
    const client = rawClient(backend);
    const { idToken } = await client.signUp();
    const listen = rawChannel(client, 'Listen');
    const owner = await listen.open([{ database: databaseNames.database }], idToken);
    for (let at = 0; at < 400; at++) {
      await listen.forward('VER=8&RID=1', [], { headers: from(`198.51.100.${at % 10}`) });
    }
    expect((await owner.post(1, JSON.stringify(target))).status).toBe(200);
    expect(await owner.next()).toMatch(/targetChange/);
    const another = await listen.open([target], idToken);
    expect(await another.next()).toMatch(/targetChange/);
  });

  it('of one owner end with RESOURCE_EXHAUSTED on the stream', async () => {
    const backend = await startBackend({
      limits: { sessions: { owner: 2, stranger: 30, address: 40, all: 100 } },
    });
    const client = rawClient(backend);
    const { idToken } = await client.signUp();
    const listen = rawChannel(client, 'Listen');
    for (let at = 0; at < 2; at++) {
      const admitted = await listen.open([target], idToken);
      expect(await admitted.next()).toMatch(/targetChange/);
    }
    const third = await listen.open([target], idToken);
    expect(await third.next()).toMatch(/RESOURCE_EXHAUSTED/);
  });
});

it('S11: an address that keeps the passwords busy does not keep others from signing in', async () => {
  const backend = await startBackend({ isBehindProxy: true, passwordCost: 2 ** 13 });
  const client = rawClient(backend);
  const { email } = await client.signUp();
  const path = '/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=k';
  let answered = 0;
  const attempts = Array.from({ length: 99 }, async () => {
    await client.json(path, { email: newEmail(), password: 'x' }, from('198.51.100.1'));
    answered += 1;
  });
  await expect.poll(() => answered).toBeGreaterThan(0);
  await signInWithEmailAndPassword(liteApp(backend.port).auth, email, testPassword);
  expect(answered).toBeLessThan(60);
  await Promise.all(attempts);
});

describe('a text that takes long to normalize', () => {
  const marks = `a${'\u0301'.repeat(24_000)}${'\u0316'.repeat(24_000)}`;
  const email = 'robin@example.com';
  const sendOobCode = { requestType: 'PASSWORD_RESET', email };

  it.each([
    ['an address', 'signInWithPassword', { email: `${marks}@x.example`, password: 'x' }],
    ['a password', 'signInWithPassword', { email, password: marks }],
    [
      'a URL to go on to',
      'sendOobCode',
      { ...sendOobCode, continueUrl: `http://${marks}.example` },
    ],
    ['a URL of a provider', 'signInWithIdp', { requestUri: `http://${marks}.example` }],
  ])('as %s is refused at once', async (_, method, body) => {
    const client = rawClient(await startBackend());
    const beganMs = performance.now();
    for (let at = 0; at < 4; at++) expect((await client.account(method, body)).status).toBe(400);
    // To normalize all of them takes two seconds or more.
    expect(performance.now() - beganMs).toBeLessThan(1000);
  });
});

it('work without end of one owner is refused, and of nobody else', async () => {
  const backend = await startBackend({ limits: { work: { burst: 20, everyMs: 1000 } } });
  const client = rawClient(backend);
  const [attacker, owner] = [await client.signUp(), await client.signUp()];
  const body = { writes: [], padding: Array.from({ length: 120_000 }, () => ({})) };
  const ask = () => client.json(`${client.documents}:commit`, body, bearer(attacker.idToken));
  await expect.poll(async () => (await ask()).status).toBe(429);
  const write = { writes: [setWrite('pets/rex', { ownerId: str(owner.uid) })] };
  expect((await client.firestore('commit', write, owner.idToken)).status).toBe(200);
});
