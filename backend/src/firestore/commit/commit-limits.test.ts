import { describe, expect, it } from 'vitest';
import {
  bool,
  int,
  list,
  map,
  nul,
  setWrite,
  str,
  writes,
} from '../../../tests/support/firestore-json.ts';
import {
  aliceCaller,
  databaseNames,
  openTestDatabase,
} from '../../../tests/support/test-database.ts';
import { admin } from '../../caller.ts';
import type { Database } from '../documents/database.ts';
import { decodeWrites } from './write.ts';

const commit = (database: Database, ...json: unknown[]) =>
  database.commit(aliceCaller, writes(...json));
const status = (code: string) => expect.objectContaining({ status: code });

describe('the limits of a commit', () => {
  it('refuses a document of more than 1 MiB, naming the limit, and takes one just below', async () => {
    const { database } = await openTestDatabase();
    await expect(
      commit(database, setWrite('c/a', { s: str('x'.repeat(2_000_000)) })),
    ).rejects.toThrow(/maximum allowed size of 1,048,576 bytes \(1 MiB\)/);
    await commit(database, setWrite('c/a', { s: str('x'.repeat(1_048_000)) }));
  });

  it('refuses a commit that writes more than 32 MiB, however little of it is sent', async () => {
    const { database } = await openTestDatabase();
    const large = setWrite('c/a', { s: str('x'.repeat(1_000_000)) });
    const touch = setWrite('c/a', { n: int(1) }, { updateMask: { fieldPaths: ['n'] } });
    const touches = (count: number) => Array.from({ length: count }, () => touch);
    await commit(database, large, ...touches(30));
    await expect(commit(database, large, ...touches(36))).rejects.toThrow(/Transaction too big/);
  });

  it('refuses a commit that replaces or removes more than 32 MiB, however little it writes', async () => {
    const { database } = await openTestDatabase();
    const paths = Array.from({ length: 6 }, (_, at) => `c/${at}`);
    // Each of its characters takes six of the text that is stored.
    const s = str('\u0001'.repeat(1_000_000));
    for (const path of paths) await commit(database, setWrite(path, { s }));
    const removing = paths.map((path) => ({ delete: databaseNames.toName(path) }));
    const replacing = paths.map((path) => setWrite(path, {}));
    await expect(commit(database, ...removing)).rejects.toThrow(/Transaction too big/);
    await expect(commit(database, ...replacing)).rejects.toThrow(/Transaction too big/);
    await commit(database, ...replacing.slice(1), ...removing.slice(1));
    for (const path of paths) await commit(database, setWrite(path, { s }));
    await database.commit(admin, writes(...removing));
    expect(database.peek('c/0')).toBeNull();
  });

  it('does not tell the size of documents to those who may not read them', async () => {
    const { database } = await openTestDatabase({
      policy: ({ operation }) => operation === 'create',
    });
    const s = str('\u0001'.repeat(1_000_000));
    const paths = Array.from({ length: 6 }, (_, at) => `c/${at}`);
    for (const path of paths) await commit(database, setWrite(path, { s }));
    const replacing = paths.map((path) => setWrite(path, {}));
    await expect(commit(database, ...replacing)).rejects.toThrow(status('PERMISSION_DENIED'));
    // The sum crosses the limit at a document of one's own.
    const own = Array.from({ length: 34 }, (_, at) =>
      setWrite(`c/own${at}`, { s: str('x'.repeat(1_000_000)) }),
    );
    const [foreign] = replacing;
    await expect(commit(database, foreign, ...own)).rejects.toThrow(status('PERMISSION_DENIED'));
    await expect(commit(database, ...own)).rejects.toThrow(/Transaction too big/);
  });

  it('refuses a document of more than 40,000 values, however small they are', async () => {
    const { database } = await openTestDatabase();
    const maps = (count: number) => list(...Array.from({ length: count }, () => map({})));
    await commit(database, setWrite('c/a', { l: maps(39_999) }));
    expect(() => writes(setWrite('c/b', { l: maps(40_000) }))).toThrow(/too many values/);
    const more = { fieldPath: 'l', appendMissingElements: { values: [nul, int(1)] } };
    await expect(
      commit(
        database,
        setWrite('c/a', {}, { updateMask: { fieldPaths: [] }, updateTransforms: [more] }),
      ),
    ).rejects.toThrow(/more than 40,000 values/);
  });

  it('refuses more than 100,000 field paths in the masks of all writes', () => {
    const write = (count: number) =>
      setWrite('c/a', {}, { updateMask: { fieldPaths: Array.from({ length: count }, () => 'a') } });
    expect(writes(write(50_000), write(50_000))).toHaveLength(2);
    expect(() => writes(write(50_000), write(50_001))).toThrow(/field paths/);
    const updateTransforms = Array.from({ length: 500 }, (_, at) => ({
      fieldPath: `f${at}`,
      increment: int(1),
    }));
    const transforming = Array.from({ length: 51 }, () =>
      setWrite('c/a', {}, { updateTransforms }),
    );
    expect(writes(...transforming.slice(1))).toHaveLength(50);
    expect(() => writes(...transforming)).toThrow(/field paths/);
  });

  it('counts a field path in a mask or a transform as one for every ten characters', () => {
    const fieldPath = `${'a.'.repeat(99)}aa`;
    const mask = (count: number) => ({
      updateMask: { fieldPaths: Array.from({ length: count }, () => fieldPath) },
    });
    const updateTransforms = Array.from({ length: 500 }, () => ({ fieldPath, increment: int(1) }));
    const transforming = Array.from({ length: 10 }, () =>
      setWrite('c/a', {}, { updateTransforms }),
    );
    expect(writes(setWrite('c/a', {}, mask(5000)))).toHaveLength(1);
    expect(() => writes(setWrite('c/a', {}, mask(5001)))).toThrow(/field paths/);
    expect(writes(...transforming)).toHaveLength(10);
    expect(() => writes(...transforming, setWrite('c/b', {}, mask(1)))).toThrow(/field paths/);
    const strange = { updateMask: { fieldPaths: [{ length: 1e9 }] }, updateTransforms: [null] };
    expect(() => writes(setWrite('c/a', {}, strange))).toThrow(/must be a string/);
  });

  it('refuses a commit that compares the elements of a list again and again', async () => {
    const { database } = await openTestDatabase();
    const values = Array.from({ length: 30_000 }, () => map({}));
    const set = setWrite('c/a', { l: list(...values) });
    const transforms = (count: number, transform: object) =>
      Array.from({ length: count }, () =>
        setWrite('c/a', {}, { updateMask: { fieldPaths: [] }, updateTransforms: [transform] }),
      );
    for (const name of ['appendMissingElements', 'removeAllFromArray']) {
      const one = { fieldPath: 'l', [name]: { values: [nul] } };
      await commit(database, set, ...transforms(1, one));
      await expect(commit(database, set, ...transforms(3, one))).rejects.toThrow(
        /Transaction too big/,
      );
    }
    const increment = { fieldPath: 'n', increment: int(1) };
    await commit(database, set, ...transforms(10, increment));
    await expect(commit(database, set, ...transforms(20, increment))).rejects.toThrow(
      /Transaction too big/,
    );
  });

  it('takes a request of many fields, or of many elements of a list, in a time that does not grow faster', async () => {
    const { database } = await openTestDatabase({ policy: () => false });
    const names = Array.from({ length: 39_999 }, (_, at) => `f${at}`);
    const fields = Object.fromEntries(names.map((name) => [name, bool(true)]));
    const values = names.map((name) => str(name));
    const start = performance.now();
    const attempts = [
      setWrite('c/a', fields, { updateMask: { fieldPaths: names } }),
      setWrite(
        'c/a',
        {},
        { updateTransforms: [{ fieldPath: 'a', appendMissingElements: { values } }] },
      ),
    ];
    for (const each of attempts) {
      await expect(commit(database, each)).rejects.toThrow(status('PERMISSION_DENIED'));
    }
    // Quadratic time takes minutes.
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  it('decodes a long list of writes in slices, between which the event loop turns', () => {
    const json = Array.from({ length: 100 }, (_, at) => setWrite(`c/${at}`, {}));
    const breaks = [0, 1, 10].map((writeMs) => {
      let elapsedMs = 0;
      const deps = { names: databaseNames, elapsedMs: () => (elapsedMs += writeMs) };
      return [...decodeWrites(json, deps)].length;
    });
    expect(breaks).toEqual([0, 10, 100]);
  });

  it('is 2,000 for the writes of a request, and 500 for the transforms of one document', () => {
    const json = Array.from({ length: 2001 }, (_, at) => setWrite(`c/${at}`, {}));
    expect(() => writes(...json)).toThrow(status('INVALID_ARGUMENT'));
    expect(writes(...json.slice(1)).length).toBe(2000);
    const transforms = (count: number) => ({
      updateTransforms: Array.from({ length: count }, (_, at) => ({
        fieldPath: `f${at}`,
        increment: int(1),
      })),
    });
    expect(() => writes(setWrite('c/a', {}, transforms(501)))).toThrow(status('INVALID_ARGUMENT'));
    expect(writes(setWrite('c/a', {}, transforms(500))).length).toBe(1);
  });

  it.each([
    ['a path', '/'.repeat(10_000), 'A document path is too long'],
    ['a segment', `c/__${'a'.repeat(2000)}__`, 'longer than 1500 bytes'],
  ])('refuse %s by its length before anything else of it', (_name, path, message) => {
    expect(() => writes(setWrite(path, {}))).toThrow(message);
  });

  it.each([
    ['an odd path', setWrite('c', {})],
    ['an empty segment', setWrite('c//d/e', {})],
    ['a relative segment', setWrite('c/..', {})],
    ['a reserved segment', setWrite('c/__x__', {})],
    ['half a surrogate pair', setWrite('c/\ud83d', {})],
    ['the root', { delete: databaseNames.documents }],
    ['another project', { delete: databaseNames.toName('c/a').replace('demo-pawpals', 'other') }],
    ['a list in a list', setWrite('c/a', { l: { arrayValue: { values: [{ arrayValue: {} }] } } })],
    ['no operation', {}],
    ['an unknown transform', setWrite('c/a', {}, { updateTransforms: [{ fieldPath: 'a' }] })],
    [
      'two changes of the elements of one list',
      setWrite(
        'c/a',
        {},
        {
          updateTransforms: ['f', '`f`'].map((fieldPath) => ({
            fieldPath,
            appendMissingElements: { values: [int(1)] },
          })),
        },
      ),
    ],
    [
      'a transform of the name',
      setWrite('c/a', {}, { updateTransforms: [{ fieldPath: '__name__', increment: int(1) }] }),
    ],
    ['an empty precondition', setWrite('c/a', {}, { currentDocument: {} })],
  ])('refuses %s', (_name, json) => {
    expect(() => writes(json)).toThrow(status('INVALID_ARGUMENT'));
  });
});
