import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createBackend, type Backend } from '../../backend/src/server.ts';
import { mountFunctions } from './embedded-functions.ts';

async function setUp() {
  const dataDir = await mkdtemp(join(tmpdir(), 'pawpals-'));
  const disk = { freeBytes: Infinity };
  const freeBytes = () => disk.freeBytes;
  const start = () => createBackend({ dataDir, port: 0, passwordCost: 1_024, freeBytes });
  let backend = await start();
  onTestFinished(async () => {
    await backend.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const { uid } = await backend.accounts.createUser({
    email: 'a@b.example',
    password: 'Walkies-4',
  });
  await backend.firestore.commit([
    { set: `sync/${uid}`, data: { head: 2, epoch: 'e' } },
    { set: 'pets/rex', data: { ownerId: uid, seq: 1 } },
    { set: 'pets/rex/journalEntries/1', data: { createdBy: uid, seq: 2 } },
  ]);
  await backend.storage.put('pets/rex/audios/voice-note-1.webm', new Uint8Array([1]));
  return {
    uid,
    disk,
    current: () => backend,
    restart: async () => {
      await backend.stop();
      backend = await start();
    },
  };
}

const look = ({ firestore, storage }: Backend, uid: string) => ({
  pet: firestore.get('pets/rex'),
  entry: firestore.get('pets/rex/journalEntries/1'),
  files: storage.list({ prefix: '' }).objects,
  sync: firestore.get(`sync/${uid}`),
});

const erased = {
  pet: null,
  entry: null,
  files: [],
  sync: { head: 2, epoch: 'e', closed: true },
};

/** Longer than a busy machine needs. */
const patience = { timeout: 15_000 };

it('a deleted account is erased', async () => {
  const { uid, current } = await setUp();
  mountFunctions(current());
  await current().accounts.deleteUser(uid);
  await vi.waitFor(() => expect(look(current(), uid)).toEqual(erased), patience);
}, 30_000);

it('an account is erased on a full disk', async () => {
  const { uid, disk, current } = await setUp();
  disk.freeBytes = 0;
  mountFunctions(current());
  await current().accounts.deleteUser(uid);
  await vi.waitFor(() => expect(look(current(), uid)).toEqual(erased), patience);
}, 30_000);

it('an account that was deleted while nobody listened is erased after a restart', async () => {
  const { uid, current, restart } = await setUp();
  await current().accounts.deleteUser(uid);
  await restart();
  expect(current().firestore.get('pets/rex')).not.toBeNull();
  mountFunctions(current());
  await vi.waitFor(() => expect(look(current(), uid)).toEqual(erased), patience);
}, 30_000);

it('no other account is erased', async () => {
  const { uid, current } = await setUp();
  mountFunctions(current());
  const { firestore, accounts } = current();
  const other = await accounts.createUser({ email: 'c@d.example', password: 'Walkies-4' });
  await accounts.deleteUser(other.uid);
  await vi.waitFor(
    () => expect(firestore.get(`sync/${other.uid}`)).toEqual({ closed: true }),
    patience,
  );
  expect(firestore.get(`sync/${uid}`)).toEqual({ head: 2, epoch: 'e' });
  expect(firestore.get('pets/rex')).not.toBeNull();
}, 30_000);

it('a file that no document refers to is marked', async () => {
  const { current } = await setUp();
  const { storage } = current();
  onTestFinished(mountFunctions(current()));
  const isMarked = () =>
    storage.get('pets/rex/audios/voice-note-1.webm')?.settings.custom.has('unreferredSince');
  await vi.waitFor(() => expect(isMarked()).toBe(true), patience);
}, 30_000);

it('no file is looked at once the functions have ended', async () => {
  const { current } = await setUp();
  const { firestore, accounts, storage } = current();
  let looks = 0;
  const list: typeof storage.list = (query) => {
    looks += 1;
    return storage.list(query);
  };
  mountFunctions({ firestore, accounts, storage: { ...storage, list } })();
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  expect(looks).toBe(0);
}, 30_000);
