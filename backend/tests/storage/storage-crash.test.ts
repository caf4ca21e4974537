import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { createRandom } from '../fuzz/random.ts';
import { eventually } from '../support/eventually.ts';
import { spawnBackend } from '../support/servers/backend-process.ts';
import {
  signUpWithPet,
  storageClientFor,
  type StorageOwner,
} from '../support/clients/storage-client.ts';
import { md5, noise } from '../support/clients/storage-user.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** `PAWPALS_CRASH_ROUNDS=200 npx vitest run backend/tests/storage/storage-crash.test.ts` */
const rounds = Number(process.env['PAWPALS_CRASH_ROUNDS'] ?? 20);
const seed = Number(process.env['PAWPALS_CRASH_SEED'] ?? Date.now() % 1_000_000);

/** The time limit of a round, for a busy machine with a slow disk. */
const roundMs = 60_000;
vi.setConfig({ testTimeout: rounds * roundMs, hookTimeout: 60_000 });

const files = Array.from({ length: 4 }, (_, at) => `audios/${at}.webm`);
const pieceBytes = 100_000;

type Client = ReturnType<typeof storageClientFor>;

interface Ledger {
  /** The last acknowledged number and the last sent number, by file. */
  readonly acknowledged: Map<string, number>;
  readonly sent: Map<string, number>;
  /** Unfinished resumable uploads, with their acknowledged bytes. */
  readonly unfinished: Map<string, { url: string; n: number; received: number }>;
}

const contentsOf = (n: number): Uint8Array<ArrayBuffer> => noise(3 * pieceBytes + n, n);

/** Overwrites one file again and again, in one request or in pieces, until the server is gone. */
async function uploadUntilKilled(client: Client, file: string, ledger: Ledger): Promise<void> {
  for (;;) {
    const n = (ledger.sent.get(file) ?? 0) + 1;
    ledger.sent.set(file, n);
    try {
      if (n % 2 === 0) {
        checkOk(await client.upload(file, contentsOf(n)));
      } else {
        await uploadInPieces(client, file, { n, ledger });
      }
    } catch (error) {
      if (error instanceof TypeError) return;
      throw error;
    }
    ledger.acknowledged.set(file, n);
  }
}

async function uploadInPieces(
  client: Client,
  file: string,
  { n, ledger }: { n: number; ledger: Ledger },
): Promise<void> {
  const bytes = contentsOf(n);
  const { url } = await client.start(file, bytes.length);
  for (let offset = 0; offset < bytes.length; offset += pieceBytes) {
    ledger.unfinished.set(file, { url, n, received: offset });
    const isLast = offset + pieceBytes >= bytes.length;
    const body = bytes.slice(offset, offset + pieceBytes);
    const command = isLast ? 'upload, finalize' : 'upload';
    checkOk(await client.command(url, command, { offset, body }));
  }
  ledger.unfinished.delete(file);
}

/** Returns the number of the stored version; fails when the stored bytes are not one complete version. */
async function storedVersion(client: Client, file: string): Promise<number> {
  const response = await client.send(`${client.objectUrl(file)}?alt=media`);
  if (response.status === 404) return 0;
  const bytes = new Uint8Array(await response.arrayBuffer());
  const n = bytes.length - 3 * pieceBytes;
  expect(md5(bytes)).toBe(md5(contentsOf(n)));
  expect((await client.metadata(file))['md5Hash']).toBe(md5(bytes));
  return n;
}

/** Resumes an upload on another port, where the restarted server listens. */
async function resume(client: Client, file: string, ledger: Ledger): Promise<void> {
  const upload = ledger.unfinished.get(file);
  if (upload === undefined) return;
  ledger.unfinished.delete(file);
  const { pathname, search } = new URL(upload.url);
  const url = client.origin + pathname + search;
  const state = await client.command(url, 'query');
  expect(state.status).toBe(200);
  const offset = Number(state.headers.get('x-goog-upload-size-received'));
  expect(offset).toBeGreaterThanOrEqual(upload.received);
  if (state.headers.get('x-goog-upload-status') === 'active') {
    const body = contentsOf(upload.n).slice(offset);
    checkOk(await client.command(url, 'upload, finalize', { offset, body }));
  }
  expect(await storedVersion(client, file)).toBe(upload.n);
  ledger.acknowledged.set(file, upload.n);
}

function checkOk({ status }: Response): void {
  if (status !== 200) throw new Error(`The server answered ${status}.`);
}

const total = ({ acknowledged }: Ledger) =>
  [...acknowledged.values()].reduce((sum, each) => sum + each, 0);

/** Checks everything that was acknowledged, and resumes unfinished uploads, once the server is back. */
async function verify(client: Client, ledger: Ledger): Promise<void> {
  for (const file of files) {
    const stored = await storedVersion(client, file);
    expect(stored).toBeGreaterThanOrEqual(ledger.acknowledged.get(file) ?? 0);
    expect(stored).toBeLessThanOrEqual(ledger.sent.get(file) ?? 0);
    await resume(client, file, ledger);
  }
}

describe('kill -9 during uploads', () => {
  it(`loses no acknowledged upload, shows no half file and resumes the rest, ${rounds} times, seed ${seed}`, async () => {
    const random = createRandom(seed);
    const dataDir = await tempFolder();
    const ledger: Ledger = { acknowledged: new Map(), sent: new Map(), unfinished: new Map() };
    let owner: StorageOwner | undefined;
    const start = async () => {
      const server = spawnBackend(['--port', '0', '--data', dataDir]);
      const port = await server.port;
      owner ??= await signUpWithPet(port);
      return { server, client: storageClientFor({ port }, owner) };
    };

    let running = await start();
    for (let round = 0; round < rounds; round++) {
      const { server, client } = running;
      const target = total(ledger) + 4 + random.below(20);
      const uploads = files.map((file) => uploadUntilKilled(client, file, ledger));
      await eventually(() => expect(total(ledger)).toBeGreaterThanOrEqual(target), roundMs);
      await wait(random.below(20));
      server.child.kill('SIGKILL');
      expect(await server.exit).toBe('SIGKILL');
      await Promise.all(uploads);
      running = await start();
      await verify(running.client, ledger);
    }
    // Orphans are few: at most one per writer and crash, and they are swept when they are old.
    const left = await readdir(join(dataDir, 'files', 'files'));
    expect(left.length).toBeLessThanOrEqual(files.length * (2 * rounds + 1));
  });
});
