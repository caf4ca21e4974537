import { isJsonObject, type JsonObject } from '../../json.ts';
import { aggregate, decodeAggregations } from '../query/aggregation.ts';
import type { Caller } from '../caller.ts';
import { encodeCommitResult } from '../commit/commit-codec.ts';
import type { Database } from '../documents/database.ts';
import { encodeDocument, type StoredDocument } from '../values/document.ts';
import { FirestoreError, invalidArgument } from '../firestore-error.ts';
import { decodeQuery } from '../query/query-codec.ts';
import { microsToText } from '../values/timestamp.ts';
import { decodeWrites } from '../commit/write.ts';

/** The methods of the REST API: a decoded body in, a body out. */
interface RestCall {
  readonly database: Database;
  readonly caller: Caller;
  /** The root or a document, from the URL. */
  readonly parent: string;
  readonly body: JsonObject;
}

export type RestMethod = (call: RestCall) => unknown;

export const REST_METHODS: ReadonlyMap<string, RestMethod> = new Map<string, RestMethod>([
  ['batchGet', batchGet],
  ['commit', commit],
  ['runQuery', runQuery],
  ['runAggregationQuery', runAggregationQuery],
]);

const MAX_BATCH_GET = 1000;

/** Transactions of the web SDK are optimistic; locks and snapshots of the past are not served. */
function refuseTransactions(body: JsonObject): void {
  for (const key of ['transaction', 'newTransaction', 'readTime']) {
    if (body[key] !== undefined) throw new FirestoreError('UNIMPLEMENTED', `${key} is not served.`);
  }
}

function batchGet({ database, caller, body }: RestCall): unknown {
  refuseTransactions(body);
  const { documents } = body;
  if (!Array.isArray(documents)) throw invalidArgument('documents must be a list.');
  if (documents.length > MAX_BATCH_GET) {
    throw invalidArgument(`maximum ${MAX_BATCH_GET} documents allowed per request`);
  }
  const readTime = microsToText(database.readVersion());
  const paths = documents.map((name: unknown) => database.names.toDocumentPath(name));
  return database
    .getAll(caller, paths)
    .map((document, at) =>
      document === null
        ? { missing: database.names.toName(paths[at] ?? ''), readTime }
        : { found: encodeDocument(document), readTime },
    );
}

async function commit({ database, caller, body }: RestCall): Promise<unknown> {
  refuseTransactions(body);
  const writes = decodeWrites(body['writes'], database.names);
  return encodeCommitResult(await database.commit(caller, writes));
}

async function runQuery({ database, caller, parent, body }: RestCall): Promise<unknown> {
  refuseTransactions(body);
  const query = decodeQuery(body['structuredQuery'], parent);
  const prepared = database.prepare(caller, query);
  // What needs no waiting is done at once, as work of who asks.
  if (prepared !== undefined) await prepared;
  const readTime = microsToText(database.readVersion());
  const documents = database.query(caller, query);
  if (documents.length === 0) return [{ readTime }];
  return encodeFound(documents, readTime);
}

/** One after the other, so that an answer that is too large ends before all of it is made. */
function* encodeFound(documents: readonly StoredDocument[], readTime: string) {
  for (const each of documents) yield { document: encodeDocument(each), readTime };
}

async function runAggregationQuery(call: RestCall): Promise<unknown> {
  const { database, caller, parent, body } = call;
  refuseTransactions(body);
  const json = body['structuredAggregationQuery'];
  if (!isJsonObject(json)) throw invalidArgument('structuredAggregationQuery must be an object.');
  const aggregations = decodeAggregations(json['aggregations']);
  const query = decodeQuery(json['structuredQuery'], parent);
  const aggregated = aggregations.flatMap((each) => (each.kind === 'count' ? [] : each.field));
  const prepared = database.prepare(caller, query, aggregated);
  if (prepared !== undefined) await prepared;
  const readTime = microsToText(database.readVersion());
  const documents = database.query(caller, query, aggregated);
  const aggregateFields = aggregate(aggregations, documents);
  return [{ result: { aggregateFields }, readTime }];
}
