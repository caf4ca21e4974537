import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { readdir, rename, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { copyData } from '../../src/backup.ts';
import { createBackend } from '../../src/server.ts';
import type { AdminFirestore } from '../../src/firestore/admin-firestore.ts';
import { filePrefix } from '../../src/storage/objects/stored-object.ts';
import type { KeyValueStore, StoreOperation } from '../../src/store/key-value-store.ts';
import { openLmdbReader, openLmdbStore } from '../../src/store/lmdb-store.ts';
import { openRules } from '../support/rules-fixture.ts';
import { spawnBackend } from '../support/servers/backend-process.ts';
import { startBackend, testPasswordCost } from '../support/servers/start-backend.ts';
import { rawClient } from '../support/clients/raw-client.ts';
import { tempFolder } from '../support/temp-folder.ts';

const credentials = { email: 'a@b.example', password: 'Demo-d0gs', returnSecureToken: true };

/** A server with an account, documents and files. */
async function setUp() {
  const dataDir = join(await tempFolder(), 'data');
  const backend = await startBackend({ dataDir, firestoreRules: openRules });
  await rawClient(backend).account('signUp', credentials);
  await backend.firestore.commit([{ set: 'c/a', data: { n: 1 } }]);
  await backend.storage.put('kept', Buffer.from('hello'));
  await backend.storage.put('lost', Buffer.from('bye'));
  return { backend, dataDir, copy: join(await tempFolder(), 'copy') };
}

/** Resolves to the status of the server on a port; 0 if there is none. */
const statusOf = (port: number): Promise<number> =>
  fetch(`http://127.0.0.1:${port}/__/health`).then(
    ({ status }) => status,
    () => 0,
  );

/** Fails where the records are copied, after five of them, as when the disk of the copy is full. */
const cutOffLate = (store: KeyValueStore, beforeCut: () => void): KeyValueStore => ({
  ...store,
  snapshot() {
    const snapshot = store.snapshot();
    return {
      ...snapshot,
      *range(range) {
        let left = Buffer.from(range.start).length === 0 ? 5 : Infinity;
        for (const entry of snapshot.range(range)) {
          if (left-- === 0) {
            beforeCut();
            throw new Error('cut off');
          }
          yield entry;
        }
      },
    };
  },
});

/** Fails before that, while files are copied. */
const cutOffEarly = (store: KeyValueStore, beforeCut: () => void): KeyValueStore => ({
  ...store,
  snapshot: () => {
    beforeCut();
    throw new Error('cut off');
  },
});

/** As when owners overwrite files: a file vanishes before the first attempt links it, and all others after it has. */
function vanishing(store: KeyValueStore, source: string): KeyValueStore {
  let attempts = 0;
  return {
    ...store,
    snapshot() {
      attempts += 1;
      const snapshot = store.snapshot();
      rmSync(join(source, 'files', 'files'), { recursive: true });
      mkdirSync(join(source, 'files', 'files'));
      return {
        ...snapshot,
        *range(range) {
          yield* snapshot.range(range);
          const isOfFiles = Buffer.from(range.start).toString() === filePrefix;
          if (isOfFiles && attempts === 1) yield [Buffer.from(`${filePrefix}vanished`), 'other'];
        },
      };
    },
  };
}

/** Copies what a process leaves behind that is killed while it makes a backup. LMDB holds locks on the file that is left out. */
function copyLeftOf(copy: string, half: string): void {
  const parent = dirname(copy);
  const [left = ''] = readdirSync(parent);
  const filter = (path: string) => !path.endsWith('lock.mdb');
  cpSync(join(parent, left), half, { recursive: true, filter });
}

describe('a backup', () => {
  it('has everything of one moment, and another server starts from it', async () => {
    const { backend, copy } = await setUp();
    await backend.backUp(copy);
    await backend.firestore.commit([{ set: 'c/a', data: { n: 2 } }]);
    await backend.storage.delete('lost');

    const restored = await startBackend({ dataDir: copy });
    expect(restored.firestore.get('c/a')).toEqual({ n: 1 });
    expect(Buffer.from((await restored.storage.read('lost')) ?? []).toString()).toBe('bye');
    const { status } = await rawClient(restored).account('signInWithPassword', credentials);
    expect(status).toBe(200);
    expect((await readdir(join(copy, 'files', 'files'))).length).toBe(2);
  });

  it('is made by the command line while the server runs, and while it changes things', async () => {
    const { backend, dataDir, copy } = await setUp();
    const over = new AbortController();
    const change = async () => {
      for (let at = 0; !over.signal.aborted; at++) {
        await backend.storage.put(`file-${at % 7}`, Buffer.from(`contents ${at}`));
        await backend.firestore.commit([{ set: `d/${at}`, data: { at } }]);
      }
    };
    const changing = change();
    const { exit, output } = spawnBackend(['--data', dataDir, '--backup', copy]);
    expect([await exit, output.stderr]).toEqual([0, '']);
    over.abort();
    await changing;
    expect(output.stdout).toBe(`The data folder was copied to ${copy}.\n`);

    const restored = await startBackend({ dataDir: copy });
    for (const { name } of restored.storage.list({ prefix: '' }).objects) {
      expect((await restored.storage.read(name))?.length).toBeGreaterThan(0);
    }
    const documents = await restored.firestore.find({ collection: 'd', limit: Infinity });
    const numbers = documents.map(({ data }) => Number(data['at'])).toSorted((a, b) => a - b);
    expect(numbers).toEqual(numbers.map((_, at) => at));
  });

  it('keeps a file that it has linked when the file then vanishes', async () => {
    const { dataDir, copy } = await setUp();
    const reader = openLmdbReader(join(dataDir, 'db'));
    await copyData({ source: dataDir, store: vanishing(reader, dataDir), target: copy });
    await reader.close();
    const restored = await startBackend({ dataDir: copy });
    expect(Buffer.from((await restored.storage.read('lost')) ?? []).toString()).toBe('bye');
    expect((await readdir(join(copy, 'files', 'files'))).length).toBe(2);
  });

  it('is made where a process has as few addresses as on a Raspberry Pi', async () => {
    const { dataDir, copy } = await setUp();
    const args = ['--data', dataDir, '--backup', copy];
    const { exit, output } = spawnBackend(args, `ulimit -v ${512 * 2 ** 20}`);
    expect([await exit, output.stderr]).toEqual([0, '']);
    expect((await startBackend({ dataDir: copy })).firestore.get('c/a')).toEqual({ n: 1 });
  });

  it('takes another identity, so that devices with later changes read everything again', async () => {
    const { backend, dataDir, copy } = await setUp();
    await backend.backUp(copy);
    const restored = await startBackend({ dataDir: copy });
    await Promise.all([backend.stop(), restored.stop()]);
    const epochs = await Promise.all(
      [dataDir, copy].map(async (folder) => {
        const store = openLmdbReader(join(folder, 'db'));
        const epoch = store.get('fs/epoch');
        await store.close();
        return epoch;
      }),
    );
    expect(epochs).toEqual([expect.any(String), expect.any(String)]);
    expect(new Set(epochs).size).toBe(2);
  });

  it('is told to the application by the first server that starts from it, before that answers', async () => {
    const { backend, dataDir, copy } = await setUp();
    await backend.backUp(copy);
    await backend.stop();
    const answers: number[] = [];
    const { port } = backend;
    const onRestored = async (firestore: AdminFirestore) => {
      answers.push(await statusOf(port));
      await firestore.commit([{ merge: 'c/a', data: { epoch: 'new' } }]);
    };
    const restored = await startBackend({ dataDir: copy, port, onRestored });
    expect([answers, await statusOf(port)]).toEqual([[0], 200]);
    expect(restored.firestore.get('c/a')).toEqual({ n: 1, epoch: 'new' });
    await restored.stop();
    for (const folder of [copy, dataDir, await tempFolder()]) {
      await (await startBackend({ dataDir: folder, onRestored })).stop();
    }
    expect(answers.length).toBe(1);
  });

  const failing = () => Promise.reject(new Error('the power went'));
  /** A store whose epoch cannot be written. */
  const withoutEpoch: typeof openLmdbStore = async (folder) => {
    const store = await openLmdbStore(folder);
    const isEpoch = ({ key }: StoreOperation) => key === 'fs/epoch';
    return {
      ...store,
      write: (operations, onPublished) =>
        operations.some(isEpoch) ? failing() : store.write(operations, onPublished),
    };
  };

  it.each([
    ['while the application is told', failing, openLmdbStore],
    ['before it has an identity', () => Promise.resolve(), withoutEpoch],
  ])('is told again if the server dies %s', async (_when, onRestored, openStore) => {
    const { backend, copy } = await setUp();
    await backend.backUp(copy);
    const options = { dataDir: copy, passwordCost: testPasswordCost };
    await expect(createBackend({ ...options, onRestored }, openStore)).rejects.toThrow('the power');
    let calls = 0;
    const count = async () => void (calls += 1);
    await (await startBackend({ ...options, onRestored: count })).stop();
    await (await startBackend({ ...options, onRestored: count })).stop();
    expect(calls).toBe(1);
  });

  it.each([
    ['among its files', cutOffEarly],
    ['among its records', cutOffLate],
  ])(
    'has its name only when it is whole, so one that fails %s has none',
    async (_where, cutOff) => {
      const { dataDir, copy } = await setUp();
      const [parent, half] = [dirname(copy), join(await tempFolder(), 'half')];
      const reader = openLmdbReader(join(dataDir, 'db'));
      const names: string[] = [];
      const store = cutOff(reader, () => {
        names.push(...readdirSync(parent));
        copyLeftOf(copy, half);
      });
      await expect(copyData({ source: dataDir, store, target: copy })).rejects.toThrow('cut off');
      expect(await readdir(parent)).toEqual([]);
      expect(names).toEqual([expect.stringMatching(/^copy\.partial-\w+$/)]);
      await expect(startBackend({ dataDir: half })).rejects.toMatchObject({ code: 'unusable' });

      // The folder that a killed process has left prevents no other backup.
      await rename(half, join(parent, String(names[0])));
      await copyData({ source: dataDir, store: reader, target: copy });
      await reader.close();
      expect((await readdir(parent)).toSorted()).toEqual(['copy', ...names]);
      expect((await startBackend({ dataDir: copy })).firestore.get('c/a')).toEqual({ n: 1 });
    },
  );

  it('is not made of a backup whose process was killed', async () => {
    const { dataDir, copy } = await setUp();
    const [half, second] = [join(await tempFolder(), 'half'), join(await tempFolder(), 'second')];
    const reader = openLmdbReader(join(dataDir, 'db'));
    const store = cutOffLate(reader, () => copyLeftOf(copy, half));
    await expect(copyData({ source: dataDir, store, target: copy })).rejects.toThrow('cut off');
    await reader.close();
    const { exit, output } = spawnBackend(['--data', half, '--backup', second]);
    expect([await exit, output.stderr]).toEqual([
      1,
      `The data folder ${half} is a copy that was cut off.\n`,
    ]);
    expect(await readdir(dirname(second))).toEqual([]);
  });

  it('is refused for a folder that exists, for one in the data folder, and for one that is no data folder', async () => {
    const { backend, dataDir, copy } = await setUp();
    await backend.backUp(copy);
    await expect(backend.backUp(copy)).rejects.toMatchObject({ code: 'unusable' });
    const linked = join(await tempFolder(), 'linked');
    await symlink(dataDir, linked);
    for (const inside of [dataDir, linked]) {
      await expect(backend.backUp(join(inside, 'copies', 'one'))).rejects.toMatchObject({
        code: 'unusable',
      });
    }
    expect(await readdir(dataDir)).not.toContain('copies');
    const { exit, output } = spawnBackend(['--data', join(dataDir, 'none'), '--backup', copy]);
    expect([await exit, output.stderr]).toEqual([
      1,
      `There is no data folder ${join(dataDir, 'none')} that can be read.\n`,
    ]);
  });
});
