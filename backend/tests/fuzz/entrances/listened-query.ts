import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { isJsonObject, type JsonObject } from '../../../src/json.ts';
import { createBell } from '../../support/bell.ts';
import {
  documentTargetOf,
  openWebChannel,
  type WebChannel,
} from '../../support/clients/web-channel.ts';
import { databaseNames } from '../../support/test-database.ts';
import { naiveQuery } from '../input/naive-query.ts';
import { describe, ok, postFirestore, type QueryLane } from './query-lane.ts';
import { anyQueryOf, type AnyQuery } from '../input/random-documents.ts';

const queryTarget = 2;
const sentinelTarget = 4;
const commitCount = 3;
const patienceMs = 30_000;

/** Listens to a query while documents change, resumes with a resume token, and compares the result each time. */
export async function compareUpdates(query: QueryLane): Promise<void> {
  const { lane, collection, documents } = query;
  const asked = anyQueryOf(lane.random, collection);
  const end = lane.journal.begin(lane.entrance, `listen ${describe(asked, documents)}`);
  const listener = createListener(query, asked);
  if (await listener.open()) {
    await listener.compare();
    for (let commits = lane.random.below(commitCount); commits > 0; commits--) {
      await query.write();
      await listener.compare();
    }
    await listener.close();
    await query.write();
    if (await listener.open()) await listener.compare();
  }
  await listener.close();
  end(listener.compared() > 0 ? 'target' : 'refused target');
}

/** Creates a client of the Listen stream that keeps the documents of one query. */
function createListener(query: QueryLane, asked: AnyQuery) {
  const { lane, collection, documents } = query;
  const sentinel = `${collection}s/${lane.id}`;
  const shown = new Map<string, unknown>();
  let channel: WebChannel | undefined;
  let resumeToken: unknown;
  let isRefused = false;
  let compared = 0;
  let seen = -1;
  const bell = createBell();

  const onDocument = ({ document, targetIds = [], removedTargetIds = [] }: JsonObject) => {
    const name = isJsonObject(document) ? document['name'] : document;
    if (typeof name !== 'string') return;
    if (has(removedTargetIds, queryTarget)) shown.delete(name);
    if (!isJsonObject(document)) return;
    const { fields } = document;
    if (has(targetIds, queryTarget)) shown.set(name, fields);
    if (has(targetIds, sentinelTarget)) seen = sentinelOf(fields);
  };

  const onMessage = (message: JsonObject) => {
    const { targetChange, documentChange, documentDelete, documentRemove, filter } = message;
    for (const each of [documentChange, documentDelete, documentRemove]) {
      if (isJsonObject(each)) onDocument(each);
    }
    if (isJsonObject(targetChange)) {
      const { targetChangeType: type, resumeToken: token, targetIds } = targetChange;
      const isOwn = Array.isArray(targetIds) && targetIds.includes(queryTarget);
      if (isOwn && type === 'RESET') shown.clear();
      if (isOwn && type === 'REMOVE') isRefused = true;
      if (typeof token === 'string' && token !== '') resumeToken = token;
    }
    // The documents that left are reported before or after the filter, so a mismatch is no failure yet.
    if (isJsonObject(filter) && filter['targetId'] === queryTarget)
      expectedCount = Number(filter['count'] ?? 0);
    bell.ring();
  };
  let expectedCount: number | undefined;

  /** Commits a change of a sentinel document and resolves once the listener has received it, and so all earlier commits. */
  const catchUp = async (): Promise<void> => {
    const count = query.nextMark();
    const fields = { n: { integerValue: String(count) } };
    const body = { writes: [{ update: { name: databaseNames.toName(sentinel), fields } }] };
    const { status } = await postFirestore(lane, 'commit', { parent: '', body });
    if (status !== ok) isRefused = true;
    const heard = bell.until(() => seen === count || isRefused);
    const patience = new AbortController();
    const late = wait(patienceMs, undefined, { signal: patience.signal }).catch(() => undefined);
    await Promise.race([heard, late]);
    patience.abort();
    assert.ok(
      seen === count || isRefused,
      `the listener hears nothing of ${describe(asked, documents)}`,
    );
  };

  const refuse = (): void => {
    isRefused = true;
    bell.ring();
  };

  const startOver = async (): Promise<void> => {
    await listener.close();
    resumeToken = undefined;
    shown.clear();
    if (await listener.open()) await listener.compare();
  };

  const listener = {
    /** Returns the number of comparisons. */
    compared: () => compared,
    async open(): Promise<boolean> {
      isRefused = false;
      expectedCount = undefined;
      const { structuredQuery } = asked;
      const resume =
        resumeToken === undefined ? {} : { resumeToken, expectedCount: { value: shown.size } };
      const target = {
        query: { parent: databaseNames.toName(asked.parent), structuredQuery },
        ...resume,
      };
      channel = await openWebChannel({
        wire: lane.wire,
        name: 'Listen',
        token: lane.token,
        messages: [
          { database: databaseNames.database, addTarget: { targetId: queryTarget, ...target } },
          documentTargetOf(sentinelTarget, sentinel),
        ],
        onMessage,
      });
      const opened = channel;
      void opened?.ended.then(() => channel === opened && refuse());
      return channel !== undefined;
    },
    /** Compares the documents to the result. When the count of the server differs, it queries again, as the SDK does. */
    async compare(): Promise<void> {
      await catchUp();
      if (isRefused) return undefined;
      const isStale = expectedCount !== undefined && expectedCount !== shown.size;
      expectedCount = undefined;
      if (isStale) return startOver();
      compared++;
      const found = naiveQuery(asked, documents);
      const expected = found.map(
        (path) => [databaseNames.toName(path), documents.get(path)] as const,
      );
      assert.deepEqual(shown, new Map(expected), `heard of ${describe(asked, documents)}`);
      return undefined;
    },
    async close(): Promise<void> {
      const opened = channel;
      channel = undefined;
      await opened?.close();
    },
  };
  return listener;
}

const has = (ids: unknown, id: number): boolean => Array.isArray(ids) && ids.includes(id);

const sentinelOf = (fields: unknown): number => {
  const n = isJsonObject(fields) ? fields['n'] : undefined;
  return isJsonObject(n) ? Number(n['integerValue']) : -1;
};
