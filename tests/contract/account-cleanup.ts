import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eraseAccount } from '../../functions/src/account-cleanup/erase-account.ts';
import type { CleanupPorts } from '../../functions/src/account-cleanup/ports.ts';

/** The server that the suite needs: the ports under test, and access to all documents and files beside them. */
export interface CleanupWorld {
  readonly ports: CleanupPorts;
  put(
    documents: Readonly<Record<string, Readonly<Record<string, string | number>>>>,
  ): Promise<void>;
  get(path: string): Promise<Readonly<Record<string, unknown>> | null>;
  upload(name: string): Promise<void>;
  fileNames(): Promise<readonly string[]>;
  dispose(): Promise<void>;
}

type Calls = string[];

/** Forwards each call to the ports after it has reported it to `onCall`, which can make the call fail. */
function watched(
  { documents, files }: CleanupPorts,
  onCall: (call: string, paths: readonly string[]) => Promise<void> | void,
): CleanupPorts {
  const deleting =
    (call: string, work: (names: readonly string[]) => Promise<void>) =>
    async (names: readonly string[]) => {
      await onCall(call, names);
      await work(names);
      await onCall(`after ${call}`, names);
    };
  return {
    documents: {
      closeSync: async (uid) => {
        await onCall('close', []);
        await documents.closeSync(uid);
      },
      find: async (query, limit) => {
        await onCall(`find at most ${limit}`, []);
        return documents.find(query, limit);
      },
      delete: deleting('delete documents', (paths) => documents.delete(paths)),
    },
    files: {
      find: async (prefix, limit) => {
        await onCall(`find at most ${limit}`, []);
        return files.find(prefix, limit);
      },
      delete: deleting('delete files', (names) => files.delete(names)),
    },
  };
}

const alices = [
  'pets/rex',
  'pets/rex/journalEntries/1',
  'pets/rex/journalEntries/2',
  'pets/rex/journalEntries/of-an-earlier-client',
  'pets/moss',
  'pets/moss/journalEntries/3',
  'transcriptionLimits/alice',
];
const others = [
  'pets/rex2',
  'pets/rex2/journalEntries/4',
  'organizations/club',
  'sync/bob',
  'transcriptionLimits/bob',
];
const bobsFiles = ['pets/rex2/profile.jpg', 'pets/rex2/voice-note-2.webm'];

async function seed(world: CleanupWorld): Promise<void> {
  await world.put({
    'sync/alice': { head: 5, epoch: 'e' },
    'pets/rex': { ownerId: 'alice', name: 'Rex' },
    'pets/rex/journalEntries/1': { createdBy: 'alice', text: 'A walk.' },
    'pets/rex/journalEntries/2': { createdBy: 'alice', text: 'A duck.' },
    'pets/rex/journalEntries/of-an-earlier-client': { text: 'By nobody.' },
    'pets/moss': { ownerId: 'alice', name: 'Moss' },
    'pets/moss/journalEntries/3': { createdBy: 'alice', text: 'Slept.' },
    'pets/rex2': { ownerId: 'bob', name: 'Rex' },
    'pets/rex2/journalEntries/4': { createdBy: 'bob', text: 'A walk.' },
    'sync/bob': { head: 2, epoch: 'f' },
    'organizations/club': { tradingName: 'Club', memberCount: 2 },
    'transcriptionLimits/alice': { level: 3, atMs: 1_000 },
    'transcriptionLimits/bob': { level: 1, atMs: 2_000 },
  });
  const names = ['pets/rex/profile.jpg', 'pets/rex/voice-note-1.webm', 'pets/moss/deep/a.webm'];
  for (const name of [...names, ...bobsFiles]) await world.upload(name);
}

/** Returns the documents of Alice and of the others that still exist, all files, and Alice's `sync` document. */
async function look(world: CleanupWorld) {
  const found = async (paths: readonly string[]) => {
    const documents = await Promise.all(paths.map((path) => world.get(path)));
    return paths.filter((_, at) => documents[at] !== null);
  };
  return {
    left: await found(alices),
    others: await found(others),
    files: (await world.fileNames()).toSorted(),
    sync: await world.get('sync/alice'),
  };
}

const erased = {
  left: [],
  others,
  files: bobsFiles,
  sync: { head: 5, epoch: 'e', closed: true },
};

export function describeAccountCleanup(name: string, open: () => Promise<CleanupWorld>): void {
  describe(`account clean-up on ${name}`, () => {
    let world: CleanupWorld;
    beforeEach(async () => {
      world = await open();
    });
    afterEach(() => world.dispose());

    it('erases the documents and files of the user, nobody else’s, and closes their sync', async () => {
      await seed(world);
      const counts = await eraseAccount(world.ports, 'alice');
      expect(await look(world)).toEqual(erased);
      expect(counts).toEqual({ entries: 4, pets: 2, files: 3 });
    });

    it('closes the sync of a user who never synced', async () => {
      expect(await eraseAccount(world.ports, 'alice')).toEqual({ entries: 0, pets: 0, files: 0 });
      expect(await world.get('sync/alice')).toEqual({ closed: true });
    });

    it('can be repeated', async () => {
      await seed(world);
      await eraseAccount(world.ports, 'alice');
      expect(await eraseAccount(world.ports, 'alice')).toEqual({ entries: 0, pets: 0, files: 0 });
      expect(await look(world)).toEqual(erased);
    });

    it('resumes after an interruption at any call', async () => {
      let interruptions = 0;
      for (let isDone = false; !isDone; interruptions += 1) {
        await seed(world);
        let calls = 0;
        const failing = watched(world.ports, () => {
          calls += 1;
          if (calls > interruptions) throw new Error('interrupted');
        });
        isDone = await eraseAccount(failing, 'alice').then(
          () => true,
          () => false,
        );
        await eraseAccount(world.ports, 'alice');
        expect([interruptions, await look(world)]).toEqual([interruptions, erased]);
      }
      expect(interruptions).toBeGreaterThan(20);
    });

    it('closes the sync first, and deletes a pet after all documents and files that are found through it', async () => {
      await seed(world);
      const calls: Calls = [];
      const ports = watched(world.ports, async (call, paths) => {
        calls.push(call);
        if (call !== 'delete documents') return;
        expect(await world.get('sync/alice')).toMatchObject({ closed: true });
        for (const pet of paths.filter((path) => path.split('/').length === 2)) {
          const left = await look(world);
          expect(left.left.filter((path) => path.startsWith(`${pet}/`))).toEqual([]);
          expect(left.files.filter((path) => path.startsWith(`${pet}/`))).toEqual([]);
        }
      });
      await eraseAccount(ports, 'alice');
      expect(calls[0]).toBe('close');
      expect(calls).toContain('delete documents');
    });

    it('deletes a file that was uploaded while its pet was deleted', async () => {
      await seed(world);
      const ports = watched(world.ports, async (call, paths) => {
        const isRex = paths.includes('pets/rex');
        if (call === 'after delete documents' && isRex) await world.upload('pets/rex/late.webm');
      });
      await eraseAccount(ports, 'alice');
      expect(await look(world)).toEqual(erased);
    });

    it('reads a long journal page by page', async () => {
      const count = 650;
      const entries = Array.from({ length: count }, (_, at) => [
        `pets/rex/journalEntries/${at}`,
        { createdBy: 'alice' },
      ]);
      await world.put({ 'pets/rex': { ownerId: 'alice' }, ...Object.fromEntries(entries) });
      const sizes: number[] = [];
      const ports = watched(world.ports, (call, paths) => {
        const limit = /find at most (\d+)/.exec(call)?.[1];
        sizes.push(limit === undefined ? paths.length : Number(limit));
      });
      expect(await eraseAccount(ports, 'alice')).toMatchObject({ entries: count, pets: 1 });
      expect(Math.max(...sizes)).toBeLessThanOrEqual(300);
      expect(await world.get('pets/rex/journalEntries/649')).toBeNull();
    });
  });
}
