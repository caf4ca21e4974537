import { isJsonObject, type JsonObject } from '../../json.ts';
import type { Steps } from '../../limits/slices.ts';
import { createAggregations } from '../query/aggregation.ts';
import type { Caller } from '../../caller.ts';
import { encodeCommitResult } from '../commit/committer.ts';
import type { Sender } from '../commit/sender.ts';
import type { Database } from '../documents/database.ts';
import { encodeDocument } from '../values/document.ts';
import { FirestoreError, invalidArgument } from '../firestore-error.ts';
import { decodeQuery } from '../query/query-codec.ts';
import { microsToText } from '../values/timestamp.ts';
import { decodeWrites } from '../commit/write.ts';

/** Receives one element of the answer, which is a list. */
type Take = (part: JsonObject) => void;

/** A call of a method of the REST API. */
interface RestCall {
  readonly database: Database;
  readonly caller: Caller;
  /** The path of the parent from the URL: the root or a document. */
  readonly parent: string;
  readonly body: JsonObject;
}

export type RestRead = (call: RestCall, take: Take) => Steps<void>;

export const restReads: ReadonlyMap<string, RestRead> = new Map(
  Object.entries({ batchGet, runQuery, runAggregationQuery }),
);

const maxBatchGet = 1000;

/** Refuses locks and snapshots of the past; transactions of the web SDK are optimistic and need none. */
function refuseTransactions(body: JsonObject): void {
  for (const key of ['transaction', 'newTransaction', 'readTime']) {
    if (body[key] !== undefined) throw new FirestoreError('UNIMPLEMENTED', `${key} is not served.`);
  }
}

function* batchGet({ database, caller, body }: RestCall, take: Take): Steps<void> {
  refuseTransactions(body);
  const { documents } = body;
  if (!Array.isArray(documents)) throw invalidArgument('documents must be a list.');
  if (documents.length > maxBatchGet) {
    throw invalidArgument(`maximum ${maxBatchGet} documents allowed per request`);
  }
  // A name that is there twice is answered once, as hosted Firestore does.
  const paths = [...new Set(documents.map((name) => database.names.toDocumentPath(name)))];
  let at = 0;
  yield* database.getAll(caller, paths, (document, version) => {
    const missing = database.names.toName(paths[at++] ?? '');
    const found = document === null ? { missing } : { found: encodeDocument(document) };
    take({ ...found, readTime: microsToText(version) });
  });
}

export async function commit(
  { database, caller, body }: RestCall,
  sender: Sender,
): Promise<JsonObject> {
  refuseTransactions(body);
  const writes = await sender.inTurns(decodeWrites(body['writes'], database));
  return encodeCommitResult(await database.commit(caller, writes, sender));
}

function* runQuery({ database, caller, parent, body }: RestCall, take: Take): Steps<void> {
  refuseTransactions(body);
  const query = decodeQuery(body['structuredQuery'], parent, database.names);
  let isEmpty = true;
  const version = yield* database.read(caller, query, (document, readVersion) => {
    isEmpty = false;
    take({ document: encodeDocument(document), readTime: microsToText(readVersion) });
  });
  if (isEmpty) take({ readTime: microsToText(version) });
}

function* runAggregationQuery(call: RestCall, take: Take): Steps<void> {
  const { database, caller, parent, body } = call;
  refuseTransactions(body);
  const json = body['structuredAggregationQuery'];
  if (!isJsonObject(json)) throw invalidArgument('structuredAggregationQuery must be an object.');
  const aggregations = createAggregations(json['aggregations']);
  const query = decodeQuery(json['structuredQuery'], parent, database.names);
  const version = yield* database.read(caller, query, aggregations.add);
  take({ result: { aggregateFields: aggregations.result() }, readTime: microsToText(version) });
}
