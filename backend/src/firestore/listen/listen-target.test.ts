import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyQuery, anyWrite } from '../../../tests/support/any-query.ts';
import { writes } from '../../../tests/support/firestore-json.ts';
import { createMemoryStore, type MemoryStore } from '../../../tests/support/fakes/memory-store.ts';
import {
  aliceCaller,
  answerOf,
  databaseNames,
  openTestDatabase,
} from '../../../tests/support/test-database.ts';
import type { Database } from '../documents/database.ts';
import type { Commit } from '../documents/change-log.ts';
import { finish } from '../../limits/slices.ts';
import { createTarget } from './listen-target.ts';
import type { Answer, Deltas, Target } from './target.ts';
import { decodeQuery } from '../query/query-codec.ts';
import { isInScope } from '../query/query-match.ts';

const target = (database: Database, structuredQuery: unknown) =>
  createTarget({
    json: { query: { parent: databaseNames.documents, structuredQuery } },
    database,
    caller: aliceCaller,
    keep: () => undefined,
  });

/**
 * A model of the view of a client: paths and versions. A document that the client wrote itself (here it wrote all) may be
 * shown as pending until the server reports it.
 */
function createView() {
  const shown = new Map<string, number>();
  const pending = new Set<string>();
  const apply = (deltas: Deltas) => {
    for (const [path, document] of deltas) {
      pending.delete(path);
      if (document === null) shown.delete(path);
      else shown.set(path, document.updateVersion);
    }
  };
  const first: Answer = {
    begin(mustReset) {
      if (mustReset) shown.clear();
    },
    present: (document) => apply(new Map([[document.path, document]])),
    // oxlint-disable-next-line require-yield -- the model checks all names at once
    *existing(names) {
      for (const path of shown.keys()) {
        if (!names.includes(databaseNames.toName(path))) shown.delete(path);
      }
    },
    left: (path) => apply(new Map([[path, null]])),
  };
  return { shown, pending, apply, first };
}

const answer = (database: Database, structuredQuery: unknown) =>
  new Map(
    answerOf(database, decodeQuery(structuredQuery, '', databaseNames)).map((each) => [
      each.path,
      each.updateVersion,
    ]),
  );

const sorted = (shown: ReadonlyMap<string, number>) =>
  [...shown].toSorted(([one], [other]) => (one < other ? -1 : 1));

type Step = readonly [commits: readonly unknown[][], query: unknown, isRestart: boolean];

interface Listener {
  readonly query: unknown;
  readonly view: ReturnType<typeof createView>;
  target: Target;
  version: number;
}

/** Runs the steps. Every listener sees all commits; at each step one is offline, and resumes from its last version. */
async function run(steps: readonly Step[]): Promise<void> {
  const store: MemoryStore = createMemoryStore();
  let { database } = await openTestDatabase({ store });
  const listeners: Listener[] = [];
  for (const [at, [commits, query, isRestart]] of steps.entries()) {
    const away = listeners[at % Math.max(1, listeners.length)];
    for (const json of commits) {
      const commit = await committed(database, json);
      for (const each of listeners) addPending(each, commit);
      for (const each of listeners) {
        if (each === away || isRestart) continue;
        each.view.apply(each.target.onCommits([commit], () => undefined));
        each.version = commit.version;
      }
    }
    if (isRestart) ({ database } = await openTestDatabase({ store }));
    for (const each of isRestart ? listeners : listeners.filter((one) => one === away)) {
      each.target = target(database, each.query);
      each.version = startAt(database, each);
    }
    const added = { query, view: createView(), target: target(database, query), version: null };
    listeners.push({ ...added, version: startAt(database, added) });
    for (const each of listeners) {
      expect(sorted(each.view.shown)).toEqual(sorted(answer(database, each.query)));
      expect([...each.view.pending]).toEqual([]);
    }
  }
}

/** Starts the target; returns the version from which on the listener is told of commits. */
function startAt(
  database: Database,
  { target: started, version, view }: Omit<Listener, 'version'> & { version: number | null },
): number {
  const read = database.openView();
  const expectedCount = version === null ? null : view.shown.size;
  finish(started.start(read, { from: version, expectedCount }, view.first));
  read.release();
  return read.version;
}

/** Adds pending documents: the contents that the client guesses can match the query when the actual ones do not. */
function addPending({ query, view }: Listener, { changes }: Commit): void {
  const decoded = decodeQuery(query, '', databaseNames);
  for (const { path } of changes) if (isInScope(decoded, path)) view.pending.add(path);
}

async function committed(database: Database, json: readonly unknown[]): Promise<Commit> {
  const seen: Commit[] = [];
  const stop = database.onCommit((commit) => seen.push(commit));
  await database.commit(aliceCaller, writes(...json));
  stop();
  return seen[0] ?? { version: database.readVersion(), writer: null, changes: [] };
}

describe('a target', () => {
  it('shows what the query finds, through any history of changes, absences and restarts', async () => {
    const step = fc.tuple(
      fc.array(fc.array(anyWrite, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 }),
      anyQuery,
      fc.nat(5).map((n) => n === 0),
    );
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), run), {
      numRuns: 200,
    });
  });
});
