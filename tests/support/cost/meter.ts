import { createServer, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import * as v from 'valibot';

/** The units that hosted Firebase bills, counted by its rules. */
export interface Counts {
  reads: number;
  writes: number;
  deletes: number;
  /** Uploads to Storage and lists of its files. */
  classA: number;
  /** Reads of a file or its metadata. */
  classB: number;
  uploadedBytes: number;
  /** The size of Firestore's answers, whose network traffic is billed. */
  firestoreBytes: number;
  downloadedBytes: number;
  /** Commits, each of which reaches every listening device once. */
  commits: number;
}

const none: Readonly<Counts> = {
  reads: 0,
  writes: 0,
  deletes: 0,
  classA: 0,
  classB: 0,
  uploadedBytes: 0,
  firestoreBytes: 0,
  downloadedBytes: 0,
  commits: 0,
};

/** A proxy in front of the embedded backend, which counts the requests and answers that pass through it. */
export interface Meter {
  readonly url: string;
  readonly counts: Counts;
  /** @returns the counts since the previous call. */
  take(): Counts;
  close(): Promise<void>;
}

const commitSchema = v.object({
  writes: v.array(
    v.object({
      update: v.exactOptional(v.object({ name: v.string() })),
      delete: v.exactOptional(v.string()),
    }),
  ),
});

const rowsSchema = v.array(v.looseObject({ document: v.exactOptional(v.unknown()) }));
const listSchema = v.array(v.unknown());

const pathOf = (name: string): string => name.split('/documents/')[1] ?? '';

/**
 * Returns how many documents the rules read for a commit, each billed once: the owner's clock, and the pet of each
 * entry. `cost.test.ts` compares the rules' access calls with these.
 */
function ruleReads(paths: readonly string[]): number {
  const numbered = paths.filter((path) => path.startsWith('pets/'));
  const entries = numbered.filter((path) => path.includes('/journalEntries/'));
  const pets = new Set(entries.map((path) => path.split('/')[1]));
  return (numbered.length > 0 ? 1 : 0) + pets.size;
}

interface Passed {
  readonly method: string;
  readonly path: string;
  readonly body: Buffer;
  readonly answer: Buffer;
  readonly isOk: boolean;
}

function countCommit(counts: Counts, { body, isOk }: Passed): void {
  const { writes } = v.parse(commitSchema, JSON.parse(body.toString()));
  counts.reads += ruleReads(
    writes.map((write) => pathOf(write.update?.name ?? write.delete ?? '')),
  );
  // A refused commit has caused reads, and no writes.
  if (!isOk || writes.length === 0) return;
  counts.commits += 1;
  counts.writes += writes.filter((write) => write.update !== undefined).length;
  counts.deletes += writes.filter((write) => write.delete !== undefined).length;
}

function countFirestore(counts: Counts, passed: Passed): void {
  const { answer, isOk } = passed;
  const [path = ''] = passed.path.split('?');
  counts.firestoreBytes += answer.length;
  if (path.endsWith(':commit')) return countCommit(counts, passed);
  if (!isOk) return;
  const json: unknown = JSON.parse(answer.toString());
  if (path.endsWith(':batchGet')) counts.reads += v.parse(listSchema, json).length;
  // A query that finds nothing is one read; an aggregation is one for each thousand entries of the index.
  if (path.endsWith(':runAggregationQuery')) counts.reads += 1;
  if (!path.endsWith(':runQuery')) return;
  const found = v.parse(rowsSchema, json).filter(({ document }) => document !== undefined);
  counts.reads += Math.max(1, found.length);
}

/** The rules of Storage read the pet for each request. */
function countStorage(counts: Counts, { method, path, body, answer }: Passed): void {
  counts.reads += 1;
  if (method === 'POST') {
    counts.classA += 1;
    counts.uploadedBytes += body.length;
  } else if (method === 'GET') {
    counts.classB += 1;
    if (path.includes('alt=media')) counts.downloadedBytes += answer.length;
  }
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

const passedHeaders = ['authorization', 'content-type', 'x-goog-upload-protocol'];

export async function openMeter(backendUrl: string): Promise<Meter> {
  const counts = { ...none };
  const server = createServer((request, response) => {
    const pass = async (): Promise<void> => {
      const { method = 'GET', url: path = '/' } = request;
      const body = await readAll(request);
      const headers = new Headers();
      for (const name of passedHeaders) {
        const value = request.headers[name];
        if (typeof value === 'string') headers.set(name, value);
      }
      const init =
        body.length === 0 ? { method, headers } : { method, headers, body: new Uint8Array(body) };
      const answered = await fetch(backendUrl + path, init);
      const answer = Buffer.from(await answered.arrayBuffer());
      const passed = { method, path, body, answer, isOk: answered.ok };
      if (path.startsWith('/v0/')) countStorage(counts, passed);
      else if (path.startsWith('/v1/') && path.includes('/documents'))
        countFirestore(counts, passed);
      const type = answered.headers.get('content-type');
      response.writeHead(answered.status, type === null ? {} : { 'content-type': type });
      response.end(answer);
    };
    pass().catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://localhost:${port}`,
    counts,
    take: () => {
      const taken = { ...counts };
      Object.assign(counts, none);
      return taken;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
