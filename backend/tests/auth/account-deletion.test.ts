import {
  EmailAuthProvider,
  deleteUser,
  reauthenticateWithCredential,
  type User,
} from 'firebase/auth';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createJsonLog } from '../../src/log.ts';
import { createBackend } from '../../src/server.ts';
import { eventually } from '../support/eventually.ts';
import { liteUser } from '../support/clients/lite-user.ts';
import { createManualClock } from '../support/fakes/manual-clock.ts';
import { testPassword } from '../support/clients/sdk-user.ts';
import { testPasswordCost, startBackend } from '../support/servers/start-backend.ts';
import { tempFolder } from '../support/temp-folder.ts';

const tooOld = { code: 'auth/requires-recent-login' };
const reauthenticate = (user: User, password = testPassword) =>
  reauthenticateWithCredential(user, EmailAuthProvider.credential(user.email ?? '', password));

describe('deleting an account', () => {
  it.each([
    [{}, 300],
    [{ recentLoginSeconds: 30 }, 30],
  ])('with %j needs a sign-in of the last %i seconds', async (options, seconds) => {
    const clock = createManualClock(Date.now());
    const backend = await startBackend({ clock, ...options });
    const { user } = await liteUser(backend.port);
    clock.advance((seconds + 1) * 1000);
    // A fresh token is not a fresh sign-in.
    await user.getIdToken(true);
    await expect(deleteUser(user)).rejects.toMatchObject(tooOld);
    await expect(reauthenticate(user, 'Wr0ng-password')).rejects.toMatchObject({
      code: 'auth/invalid-credential',
    });
    await expect(deleteUser(user)).rejects.toMatchObject(tooOld);
    await reauthenticate(user);
    await expect(deleteUser(user)).resolves.toBeUndefined();
  });
});

describe('whoever listens for deleted accounts', () => {
  it('is told, once it has resolved no more', async () => {
    const clock = createManualClock(Date.now());
    const backend = await startBackend({ clock });
    const told: string[] = [];
    backend.accounts.onDeleted(async ({ uid }) => void told.push(uid));
    const { user, uid } = await liteUser(backend.port);
    await deleteUser(user);
    await eventually(() => expect(told).toEqual([uid]));
    clock.advance(60_000);
    await backend.accounts.deleteUser(uid);
    expect(told).toEqual([uid]);
  });

  it('is told of one after the other', async () => {
    const backend = await startBackend();
    const [running, ends]: [string[], (() => void)[]] = [[], []];
    backend.accounts.onDeleted(async ({ uid }) => {
      running.push(uid);
      await new Promise<void>((resolve) => void ends.push(resolve));
      running.splice(running.indexOf(uid), 1);
    });
    const users = await Promise.all([liteUser(backend.port), liteUser(backend.port)]);
    for (const { uid } of users) await backend.accounts.deleteUser(uid);
    for (const { uid } of users) {
      await eventually(() => expect(running).toEqual([uid]));
      ends.shift()?.();
    }
    await eventually(() => expect(running).toEqual([]));
  });

  it('is told later what waits when it stops listening', async () => {
    const backend = await startBackend();
    const [begun, told]: [string[], string[]] = [[], []];
    let end = () => undefined as void;
    const stopListening = backend.accounts.onDeleted(async ({ uid }) => {
      begun.push(uid);
      await new Promise<void>((resolve) => {
        end = resolve;
      });
    });
    const users = await Promise.all([liteUser(backend.port), liteUser(backend.port)]);
    for (const { uid } of users) await backend.accounts.deleteUser(uid);
    await eventually(() => expect(begun).toEqual([users[0]?.uid]));
    stopListening();
    end();
    await backend.firestore.commit([{ set: 'c/a', data: {} }]);
    backend.accounts.onDeleted(async ({ uid }) => void told.push(uid));
    await eventually(() => expect(told).toEqual([users[1]?.uid]));
  });

  it('is told again when it failed, by and by', async () => {
    const clock = createManualClock(Date.now());
    const backend = await startBackend({ clock });
    const told: string[] = [];
    backend.accounts.onDeleted(async ({ uid }) => {
      told.push(uid);
      if (told.length < 3) throw new Error('The disk is full.');
    });
    const { uid } = await liteUser(backend.port);
    await backend.accounts.deleteUser(uid);
    expect(told).toEqual([uid]);
    await eventually(() => {
      clock.advance(30_000);
      expect(told).toEqual([uid, uid, uid]);
    });
  });

  it('is interrupted by a stop, which is no failure', async () => {
    const logged: string[] = [];
    const log = createJsonLog((line) => logged.push(line), Date.now);
    const backend = await startBackend({ log });
    const interrupted = new Promise<void>((resolve) => {
      backend.accounts.onDeleted(async () => {
        try {
          for (;;) await backend.firestore.commit([{ set: 'pets/rex', data: {} }]);
        } finally {
          resolve();
        }
      });
    });
    const { uid } = await liteUser(backend.port);
    await backend.accounts.deleteUser(uid);
    await backend.stop();
    await interrupted;
    await nextTurn();
    expect(logged).toEqual([]);
  });

  it('is told after a crash between the deletion and the end of its work', async () => {
    const dataDir = await tempFolder();
    const first = await startBackend({ dataDir });
    const { uid } = await liteUser(first.port);
    const unheard = await liteUser(first.port);
    await first.accounts.deleteUser(unheard.uid);
    const begun: string[] = [];
    // This listener never resolves, like the one of a process that dies.
    first.accounts.onDeleted(({ uid: each }) => {
      begun.push(each);
      return new Promise(() => undefined);
    });
    await first.accounts.deleteUser(uid);
    await eventually(() => expect(begun).toEqual([unheard.uid]));
    await first.stop();

    const second = await startBackend({ dataDir });
    const told: string[] = [];
    second.accounts.onDeleted(async ({ uid: each }) => void told.push(each));
    await eventually(() => expect(told.toSorted()).toEqual([uid, unheard.uid].toSorted()));
    await second.stop();

    const third = await createBackend({ dataDir, passwordCost: testPasswordCost });
    const again: string[] = [];
    third.accounts.onDeleted(async ({ uid: each }) => void again.push(each));
    await third.stop();
    expect(again).toEqual([]);
  });
});
