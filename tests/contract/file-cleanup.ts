import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cleanUpFiles, FileCleanupError } from '../../functions/src/file-cleanup/clean-up-files.ts';
import type { FileCleanupPorts, FilePage } from '../../functions/src/file-cleanup/ports.ts';

type Fields = Readonly<Record<string, string | number | boolean>>;

/** The server that the suite needs: the ports under test, and access to all documents and files beside them. */
export interface FileCleanupWorld {
  /** The ports use this world's clock, which only `advance` moves. */
  readonly ports: FileCleanupPorts;
  now(): number;
  advance(ms: number): void;
  put(documents: Readonly<Record<string, Fields>>): Promise<void>;
  /** Stores a file, or replaces the one of that name. */
  upload(name: string, metadata?: Readonly<Record<string, string>>): Promise<void>;
  /** Returns the custom metadata of all files, by name. */
  files(): Promise<Readonly<Record<string, Readonly<Record<string, string>>>>>;
  dispose(): Promise<void>;
}

const dayMs = 24 * 60 * 60_000;
const weekMs = 7 * dayMs;

const picture = 'pets/rex/images/profile.jpg';
const recording = (at: number, petId = 'rex') => `pets/${petId}/audios/voice-note-${at}.webm`;
const entryPath = (at: number, petId = 'rex') => `pets/${petId}/journalEntries/${at}`;
const entryOf = (fileLocation: string) => ({ type: 'voice-note', fileLocation, deleted: false });
const rex = { ownerId: 'alice', name: 'Rex', deleted: false };
const tombstone = { ownerId: 'alice', deleted: true };

type OnCall = (call: string, fileNames: readonly string[]) => Promise<void> | void;

/** Forwards each call to the ports, and reports it to `onCall` before it is made; a change also after it was made. */
function watched({ files, holders, ...ports }: FileCleanupPorts, onCall: OnCall): FileCleanupPorts {
  const around = async <T>(call: string, fileName: string, work: () => Promise<T>): Promise<T> => {
    await onCall(call, [fileName]);
    const result = await work();
    await onCall(`after ${call}`, [fileName]);
    return result;
  };
  return {
    ...ports,
    files: {
      list: async (query) => {
        await onCall(`list at most ${query.limit}`, []);
        return files.list(query);
      },
      mark: (file, sinceMs) => around('mark', file.name, () => files.mark(file, sinceMs)),
      delete: (file) => around('delete', file.name, () => files.delete(file)),
    },
    holders: {
      readPets: async (petIds) => {
        await onCall('read pets', petIds);
        return holders.readPets(petIds);
      },
      async *findEntries(fileNames) {
        await onCall('find entries', fileNames);
        yield* holders.findEntries(fileNames);
      },
    },
  };
}

const failNever: FileCleanupPorts['onFailure'] = (fileName, error) => {
  throw new Error(`${fileName} failed`, { cause: error });
};

export function describeFileCleanup(name: string, open: () => Promise<FileCleanupWorld>): void {
  describe(`file clean-up on ${name}`, () => {
    let world: FileCleanupWorld;
    beforeEach(async () => {
      world = await open();
    });
    afterEach(() => world.dispose());

    const run = (onCall: OnCall = () => undefined) =>
      cleanUpFiles({ ...watched(world.ports, onCall), onFailure: failNever });
    const since = (ms: number) => ({ unreferredSince: new Date(ms).toISOString() });
    const names = async () => Object.keys(await world.files()).toSorted();
    const runAfter = (ms: number, onCall?: OnCall) => {
      world.advance(ms);
      return run(onCall);
    };

    it('keeps and never marks a file that a live pet or entry refers to', async () => {
      await world.put({
        'pets/rex': { ...rex, profilePicturePath: picture },
        [entryPath(1)]: entryOf(recording(1)),
        // A client that had no tombstones stored these documents.
        'pets/old': { ownerId: 'alice' },
        [entryPath(2, 'old')]: { fileLocation: recording(2, 'old') },
      });
      const kept = [picture, recording(1), recording(2, 'old')];
      for (const each of kept) await world.upload(each);
      for (const ms of [0, weekMs, weekMs]) {
        expect(await runAfter(ms)).toEqual({ ...nothingDone, seen: 3 });
      }
      expect(await world.files()).toEqual(Object.fromEntries(kept.map((each) => [each, {}])));
    });

    it('marks an unreferred file, and deletes it a week later and no sooner', async () => {
      await world.put({ 'pets/rex': rex });
      await world.upload(picture);
      await world.upload(recording(1));
      const startMs = world.now();
      expect(await run()).toEqual({ ...nothingDone, seen: 2, marked: 2 });
      const marked = { [picture]: since(startMs), [recording(1)]: since(startMs) };
      expect(await world.files()).toEqual(marked);
      for (const ms of [dayMs, weekMs - dayMs - 1]) {
        expect(await runAfter(ms)).toEqual({ ...nothingDone, seen: 2 });
      }
      expect(await world.files()).toEqual(marked);
      expect(await runAfter(1)).toEqual({ ...nothingDone, seen: 2, deleted: 2 });
      expect(await world.files()).toEqual({});
    });

    it('measures the week from the run that found the file unreferred, not from its upload', async () => {
      await world.put({ 'pets/rex': { ...rex, profilePicturePath: picture } });
      await world.upload(picture);
      await runAfter(5 * weekMs);
      await world.put({ 'pets/rex': rex });
      await run();
      await runAfter(weekMs - 1);
      expect(await names()).toEqual([picture]);
      await runAfter(1);
      expect(await names()).toEqual([]);
    });

    it('removes the mark when a document refers to the file again, and restarts the week', async () => {
      await world.put({ 'pets/rex': rex });
      await world.upload(recording(1));
      await run();
      await world.put({ [entryPath(1)]: entryOf(recording(1)) });
      expect(await runAfter(weekMs)).toEqual({ ...nothingDone, seen: 1, unmarked: 1 });
      expect(await world.files()).toEqual({ [recording(1)]: {} });
      await world.put({ [entryPath(1)]: { createdBy: 'alice', deleted: true } });
      expect(await run()).toMatchObject({ marked: 1 });
      expect(await runAfter(weekMs - 1)).toMatchObject({ deleted: 0 });
      expect(await runAfter(1)).toMatchObject({ deleted: 1 });
    });

    it('leaves other metadata and the generation unchanged', async () => {
      const versions = async () => {
        const { files } = await world.ports.files.list({ prefix: 'pets/', limit: 9, after: null });
        return files.map(({ generation, uploadedAtMs }) => ({ generation, uploadedAtMs }));
      };
      await world.put({ 'pets/rex': rex });
      await world.upload(picture, { replaces: 'hash' });
      const before = await versions();
      await run();
      expect(await world.files()).toEqual({
        [picture]: { replaces: 'hash', ...since(world.now()) },
      });
      await world.put({ 'pets/rex': { ...rex, profilePicturePath: picture } });
      await runAfter(dayMs);
      expect(await world.files()).toEqual({ [picture]: { replaces: 'hash' } });
      expect(await versions()).toEqual(before);
    });

    it('restarts the week after an upload that overwrites the file', async () => {
      await world.put({ 'pets/rex': rex });
      await world.upload(picture);
      await run();
      world.advance(weekMs - 1);
      await world.upload(picture);
      expect(await runAfter(1)).toMatchObject({ marked: 1, deleted: 0 });
      expect(await runAfter(weekMs - 1)).toMatchObject({ deleted: 0 });
      expect(await runAfter(1)).toMatchObject({ deleted: 1 });
    });

    it('deletes the files of deleted and missing pets, of deleted entries, and of no pet', async () => {
      await world.put({
        'pets/rex': { ...rex, profilePicturePath: picture },
        [entryPath(1)]: { createdBy: 'alice', deleted: true },
        [entryPath(2)]: { ...entryOf(recording(2)), deleted: true },
        'pets/gone': { ...tombstone, profilePicturePath: 'pets/gone/images/profile.jpg' },
        [entryPath(3, 'missing')]: entryOf(recording(3, 'missing')),
      });
      const unreferred = [
        recording(1),
        recording(2),
        'pets/gone/images/profile.jpg',
        recording(3, 'missing'),
        'pets/stray.txt',
      ];
      for (const each of [picture, ...unreferred]) await world.upload(each);
      expect(await run()).toMatchObject({ marked: 5 });
      expect(await runAfter(weekMs)).toMatchObject({ deleted: 5 });
      expect(await names()).toEqual([picture]);
    });

    it('keeps a file that a live entry of a deleted pet, or of another pet, refers to', async () => {
      await world.put({
        'pets/rex': rex,
        'pets/gone': tombstone,
        [entryPath(1, 'gone')]: entryOf(recording(1, 'gone')),
        [entryPath(2, 'rex')]: entryOf(recording(2, 'gone')),
      });
      for (const at of [1, 2]) await world.upload(recording(at, 'gone'));
      await run();
      expect(await runAfter(weekMs)).toEqual({ ...nothingDone, seen: 2 });
    });

    it('ignores files outside the folder of pets', async () => {
      await world.upload('petshop/a.webm');
      await run();
      expect(await runAfter(weekMs)).toEqual(nothingDone);
      expect(await world.files()).toEqual({ 'petshop/a.webm': {} });
    });

    it.each([
      ['older than the upload', () => since(0), true],
      ['from the future', () => since(Date.UTC(9999, 0, 1)), false],
      ['that is no date', () => ({ unreferredSince: 'yes' }), false],
    ])('waits a week also with a mark %s', async (_which, mark, isKept) => {
      await world.put({ 'pets/rex': rex });
      await world.upload(picture, mark());
      expect(await run()).toMatchObject({ marked: isKept ? 0 : 1 });
      expect(await runAfter(weekMs - 1)).toMatchObject({ deleted: 0 });
      expect(await runAfter(1)).toMatchObject({ deleted: 1 });
    });

    it('does not change a file that is uploaded between the check and the change', async () => {
      await world.put({ 'pets/rex': rex });
      await world.upload(picture);
      const uploadBefore = (call: string) => async (made: string) => {
        if (made === call) await world.upload(picture, { by: 'another device' });
      };
      expect(await run(uploadBefore('mark'))).toMatchObject({ marked: 0 });
      expect(await world.files()).toEqual({ [picture]: { by: 'another device' } });
      await run();
      expect(await runAfter(weekMs, uploadBefore('delete'))).toMatchObject({ deleted: 0 });
      expect(await world.files()).toEqual({ [picture]: { by: 'another device' } });
    });

    it('reads the documents again before it deletes', async () => {
      await world.put({ 'pets/rex': rex });
      await world.upload(recording(1));
      await run();
      let looks = 0;
      const counts = await runAfter(weekMs, async (call) => {
        if (call === 'read pets') looks += 1;
        if (call === 'read pets' && looks === 2) {
          await world.put({ [entryPath(1)]: entryOf(recording(1)) });
        }
      });
      expect(counts).toEqual({ ...nothingDone, seen: 1, unmarked: 1 });
      expect(await world.files()).toEqual({ [recording(1)]: {} });
    });

    it('does not delete a file whose mark another run has removed meanwhile', async () => {
      await world.put({ 'pets/rex': rex });
      await world.upload(recording(1));
      await run();
      const counts = await runAfter(weekMs, async (call) => {
        if (call !== 'delete') return;
        await world.put({ [entryPath(1)]: entryOf(recording(1)) });
        expect(await run()).toMatchObject({ unmarked: 1 });
      });
      expect(counts).toMatchObject({ deleted: 0 });
      expect(await world.files()).toEqual({ [recording(1)]: {} });
    });

    /** Seeds files for every action of a run: it keeps one, marks one, unmarks one and deletes two. */
    const seed = async () => {
      await world.put({
        'pets/rex': { ...rex, profilePicturePath: picture },
        [entryPath(1)]: { createdBy: 'alice', deleted: true },
        'pets/gone': tombstone,
      });
      const old = [recording(1), recording(2), recording(3, 'gone')];
      for (const each of [picture, ...old]) await world.upload(each);
      await run();
      world.advance(weekMs);
      await world.put({ [entryPath(1)]: entryOf(recording(1)) });
      await world.upload(recording(4));
    };
    const cleanedUp = () => ({
      [picture]: {},
      [recording(1)]: {},
      [recording(4)]: since(world.now()),
    });

    it('resumes after an interruption at any call', async () => {
      let interruptions = 0;
      for (let isDone = false; !isDone; interruptions += 1) {
        await seed();
        let calls = 0;
        const failing = watched(world.ports, () => {
          calls += 1;
          if (calls > interruptions) throw new Error('interrupted');
        });
        isDone = await cleanUpFiles({ ...failing, onFailure: () => undefined }).then(
          () => true,
          () => false,
        );
        await run();
        expect([interruptions, await world.files()]).toEqual([interruptions, cleanedUp()]);
      }
      expect(interruptions).toBeGreaterThan(14);
    });

    it('can run twice at once', async () => {
      await seed();
      const both = await Promise.all([run(), run()]);
      expect(await world.files()).toEqual(cleanedUp());
      const sum = (key: 'marked' | 'unmarked' | 'deleted') => both[0][key] + both[1][key];
      expect([sum('marked'), sum('unmarked'), sum('deleted')]).toEqual([1, 1, 2]);
    });

    it.each(['mark', 'delete', 'find entries'])(
      'handles all other files when "%s" fails for one, and then fails',
      async (failingCall) => {
        await seed();
        const bad = failingCall === 'delete' ? recording(2) : recording(4);
        const ports = watched(world.ports, (call, fileNames) => {
          if (call === failingCall && fileNames.includes(bad)) throw new Error('bad file');
        });
        const failed: string[] = [];
        const onFailure = (fileName: string) => void failed.push(fileName);
        await expect(cleanUpFiles({ ...ports, onFailure })).rejects.toThrow(FileCleanupError);
        expect(failed).toEqual([bad]);
        const { [bad]: left, ...others } = await world.files();
        expect(left).toBeDefined();
        const { [bad]: _bad, ...expected } = cleanedUp();
        expect(others).toEqual(expected);
        await run();
        expect(await world.files()).toEqual(cleanedUp());
      },
    );

    it('reads documents thirty files at a time, and lists files page by page', async () => {
      await world.put({ 'pets/rex': rex, [entryPath(64)]: entryOf(recording(64)) });
      for (let at = 0; at < 65; at += 1) await world.upload(recording(at));
      const sizes: number[] = [];
      const limits: number[] = [];
      const onCall: OnCall = (call, fileNames) => {
        const limit = /list at most (\d+)/.exec(call)?.[1];
        if (limit === undefined) sizes.push(fileNames.length);
        else limits.push(Number(limit));
      };
      expect(await run(onCall)).toEqual({ ...nothingDone, seen: 65, marked: 64 });
      expect(await runAfter(weekMs, onCall)).toEqual({ ...nothingDone, seen: 65, deleted: 64 });
      expect(Math.max(...sizes)).toBe(30);
      expect(limits).toEqual([300, 300]);
      expect(await names()).toEqual([recording(64)]);
    });

    it('lists each file once, also if the last one of a page was deleted meanwhile', async () => {
      const all = [1, 2, 3, 4, 5].map((at) => recording(at));
      for (const each of all) await world.upload(each);
      const { files } = world.ports;
      const listed: string[] = [];
      let after: string | null = null;
      do {
        const page: FilePage = await files.list({ prefix: 'pets/', limit: 2, after });
        const last = page.files.at(-1);
        expect(page.files.length).toBeLessThanOrEqual(2);
        expect(page.next).toBe(listed.length + page.files.length < all.length ? last?.name : null);
        expect(last && (await files.delete(last))).toBe(true);
        listed.push(...page.files.map(({ name: each }) => each));
        after = page.next;
      } while (after !== null);
      expect(listed).toEqual(all);
      const behind = { prefix: 'pets/', limit: 2, after: recording(9) };
      expect(await files.list(behind)).toEqual({ files: [], next: null });
    });
  });
}

const nothingDone = { seen: 0, marked: 0, unmarked: 0, deleted: 0, failed: 0 };
