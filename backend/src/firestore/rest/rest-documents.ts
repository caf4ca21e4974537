import { randomBytes } from 'node:crypto';
import { isJsonObject, parseJson, type JsonObject } from '../../json.ts';
import type { Caller } from '../caller.ts';
import type { Database } from '../documents/database.ts';
import { documentField, encodeDocument, type StoredDocument } from '../values/document.ts';
import { FirestoreError, invalidArgument } from '../firestore-error.ts';
import { createFieldEditor, getField, parseFieldPath } from '../values/field-path.ts';
import { decodeQuery } from '../query/query-codec.ts';
import type { Query } from '../query/query.ts';
import { encodeValue } from '../values/value-codec.ts';
import { decodeWrites } from '../commit/write.ts';

/** The plain resources of the REST API: GET, PATCH and DELETE of a document, GET and POST of a collection. */
interface DocumentsCall {
  readonly database: Database;
  readonly caller: Caller;
  readonly httpMethod: string;
  /** The full name from the URL, decoded: of a document or of a collection. */
  readonly name: string;
  readonly parameters: URLSearchParams;
  readonly body: JsonObject;
}

export function callDocuments(call: DocumentsCall): unknown {
  const { database, httpMethod, name } = call;
  if (call.parameters.has('transaction') || call.parameters.has('readTime')) {
    throw new FirestoreError('UNIMPLEMENTED', 'Transactions and readTime are not served.');
  }
  const isDocument = name.slice(database.names.documents.length).split('/').length % 2 === 1;
  const serve = (isDocument ? DOCUMENT_METHODS : COLLECTION_METHODS).get(httpMethod);
  if (serve === undefined) throw new FirestoreError('UNIMPLEMENTED', 'Method not served.');
  return serve(call);
}

type Serve = (call: DocumentsCall) => unknown;

const DOCUMENT_METHODS = new Map<string, Serve>([
  ['GET', getDocument],
  ['PATCH', patchDocument],
  ['DELETE', deleteDocument],
]);
const COLLECTION_METHODS = new Map<string, Serve>([
  ['GET', listDocuments],
  ['POST', createDocument],
]);

function getDocument({ database, caller, name, parameters }: DocumentsCall): JsonObject {
  const document = database.get(caller, database.names.toDocumentPath(name));
  if (document === null) throw new FirestoreError('NOT_FOUND', `Document "${name}" not found.`);
  return masked(document, parameters);
}

function patchDocument(call: DocumentsCall): Promise<JsonObject> {
  const fieldPaths = call.parameters.getAll('updateMask.fieldPaths');
  const mask = fieldPaths.length === 0 ? {} : { updateMask: { fieldPaths } };
  return put(call, { ...mask, ...precondition(call.parameters) });
}

async function deleteDocument({ database, caller, name, parameters }: DocumentsCall) {
  const write = { delete: name, ...precondition(parameters) };
  await database.commit(caller, decodeWrites([write], database.names));
  return {};
}

function createDocument(call: DocumentsCall): Promise<JsonObject> {
  const name = `${call.name}/${call.parameters.get('documentId') ?? newId()}`;
  return put({ ...call, name }, { currentDocument: { exists: false } });
}

async function put(call: DocumentsCall, more: JsonObject): Promise<JsonObject> {
  const { database, caller, name, parameters, body } = call;
  const path = database.names.toDocumentPath(name);
  const write = { update: { name, fields: body['fields'] }, ...more };
  await database.commit(caller, decodeWrites([write], database.names));
  const document = database.peek(path);
  // Whoever may write a document need not be allowed to read the rest of it.
  if (document === null || !database.mayGet(caller, path)) return { name };
  return masked(document, parameters);
}

const DEFAULT_PAGE = 20;
const MAX_PAGE = 300;

async function listDocuments(call: DocumentsCall): Promise<JsonObject> {
  const { database, caller, name, parameters } = call;
  const slash = name.lastIndexOf('/');
  const parent = database.names.toParentPath(name.slice(0, slash));
  const pageSize = Number(parameters.get('pageSize') ?? DEFAULT_PAGE);
  if (!Number.isInteger(pageSize) || pageSize < 0) throw invalidArgument('pageSize is wrong.');
  const size = Math.min(pageSize === 0 ? DEFAULT_PAGE : pageSize, MAX_PAGE);
  const token = parameters.get('pageToken') ?? '';
  const query = decodeQuery(
    {
      from: [{ collectionId: name.slice(slash + 1) }],
      orderBy: decodeOrderBy(parameters.get('orderBy') ?? ''),
      limit: size + 1,
      ...(token === '' ? {} : { startAt: { values: decodePageToken(token), before: false } }),
    },
    parent,
  );
  const prepared = database.prepare(caller, query);
  if (prepared !== undefined) await prepared;
  const found = database.query(caller, query);
  const documents = found.slice(0, size).map((each) => masked(each, parameters));
  const last = found.length > size ? found[size - 1] : undefined;
  return last === undefined
    ? { documents }
    : { documents, nextPageToken: encodePageToken(last, query) };
}

/** As in the URL: `a desc, b`. */
function decodeOrderBy(text: string): readonly JsonObject[] {
  if (text.trim() === '') return [];
  return text.split(',').map((each) => {
    const [fieldPath = '', direction = 'asc', ...rest] = each.trim().split(/\s+/);
    const isKnown = direction === 'asc' || direction === 'desc';
    if (!isKnown || rest.length > 0) throw invalidArgument('orderBy is malformed.');
    return {
      field: { fieldPath },
      direction: direction === 'desc' ? 'DESCENDING' : 'ASCENDING',
    };
  });
}

function encodePageToken(last: StoredDocument, { orderBy }: Query): string {
  const values = orderBy.flatMap(({ field }) => documentField(last, field) ?? []);
  return Buffer.from(JSON.stringify(values.map(encodeValue))).toString('base64url');
}

function decodePageToken(token: string): readonly unknown[] {
  const json = parseJson(Buffer.from(token, 'base64url').toString('utf8'));
  if (!json.ok || !Array.isArray(json.value) || !json.value.every(isJsonObject)) {
    throw invalidArgument('pageToken is none of ours.');
  }
  return json.value;
}

/** With `mask.fieldPaths` only those fields are answered. */
function masked(document: StoredDocument, parameters: URLSearchParams): JsonObject {
  const paths = parameters.getAll('mask.fieldPaths').map(parseFieldPath);
  if (paths.length === 0) return encodeDocument(document);
  const kept = createFieldEditor(new Map());
  for (const path of paths) kept.set(path, getField(document.fields, path));
  return encodeDocument({ ...document, fields: kept.fields });
}

function precondition(parameters: URLSearchParams): JsonObject {
  const exists = parameters.get('currentDocument.exists');
  const updateTime = parameters.get('currentDocument.updateTime');
  if (exists !== null) return { currentDocument: { exists: exists === 'true' } };
  return updateTime === null ? {} : { currentDocument: { updateTime } };
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

const newId = (): string =>
  Array.from(randomBytes(20), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
