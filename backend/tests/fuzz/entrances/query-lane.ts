import assert from 'node:assert/strict';
import { databaseNames } from '../../support/test-database.ts';
import type { WireAnswer } from '../../support/clients/wire.ts';
import { ask, bearerOf, type Lane } from './lane.ts';
import { anyDocument, anyPath, type AnyQuery, type Json } from '../input/random-documents.ts';

/** The documents that the server has acknowledged, by path. */
export type KnownDocuments = Map<string, Record<string, Json>>;

/** The documents of one lane, which no other client writes. */
export interface QueryLane {
  readonly lane: Lane;
  readonly collection: string;
  readonly documents: KnownDocuments;
  /** Commits some random writes and notes them once they are acknowledged. */
  write(): Promise<void>;
  /** Returns a number that was not used before. */
  nextMark(): number;
}

interface Asked {
  /** The path of the parent document; empty for the root. */
  readonly parent: string;
  readonly body: unknown;
}

export const ok = 200;
/** The statuses of a request that is refused by a limit. */
const overLimit = new Set([429, 503]);

export function createQueryLane(lane: Lane): QueryLane {
  const collection = `q${lane.id}`;
  const documents: KnownDocuments = new Map();
  let marks = 0;
  return {
    lane,
    collection,
    documents,
    write: () => writeSome(lane, collection, documents),
    nextMark: () => ++marks,
  };
}

export function postFirestore(lane: Lane, method: string, asked: Asked): Promise<WireAnswer> {
  const path = encodeURI(`/v1/${databaseNames.toName(asked.parent)}:${method}`);
  const body = JSON.stringify(asked.body);
  return ask(lane, { method: 'POST', path, headers: bearerOf(lane), body });
}

async function writeSome(lane: Lane, collection: string, documents: KnownDocuments): Promise<void> {
  const { random } = lane;
  const changes = new Map<string, Record<string, Json> | null>();
  for (let writes = 1 + random.below(4); writes > 0; writes--) {
    changes.set(anyPath(random, collection), random.below(4) === 0 ? null : anyDocument(random));
  }
  const writes = [...changes].map(([path, fields]) =>
    fields === null
      ? { delete: databaseNames.toName(path) }
      : { update: { name: databaseNames.toName(path), fields } },
  );
  const { status, bytes } = await postFirestore(lane, 'commit', { parent: '', body: { writes } });
  if (overLimit.has(status)) return;
  assert.equal(status, ok, `writes of documents: ${bytes.toString()}`);
  for (const [path, fields] of changes) {
    if (fields === null) documents.delete(path);
    else documents.set(path, fields);
  }
}

/** Returns everything that is needed to repeat a query. */
export const describe = (asked: AnyQuery, documents: KnownDocuments): string =>
  `${JSON.stringify(asked)} of ${JSON.stringify([...documents])}`;
