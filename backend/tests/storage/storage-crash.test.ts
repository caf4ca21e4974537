import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { spawnBackend } from '../support/servers/backend-process.ts';
import {
  signUpWithPet,
  storageClientFor,
  type StorageOwner,
} from '../support/clients/storage-client.ts';
import { md5, noise } from '../support/clients/storage-user.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** For a busy machine; the tests themselves wait for conditions. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const ROUNDS = 3;
const WRITERS = 4;
const PIECE_BYTES = 100_000;

type Client = ReturnType<typeof storageClientFor>;

interface Ledger {
  /** By file: the number whose upload was acknowledged last, and the one that was sent last. */
  readonly acknowledged: Map<string, number>;
  readonly sent: Map<string, number>;
  /** Uploads in pieces that were not finished, with what was acknowledged of them. */
  readonly unfinished: Map<string, { url: string; n: number; received: number }>;
}

const contentsOf = (n: number): Uint8Array<ArrayBuffer> => noise(3 * PIECE_BYTES + n, n);

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
  for (let offset = 0; offset < bytes.length; offset += PIECE_BYTES) {
    ledger.unfinished.set(file, { url, n, received: offset });
    const isLast = offset + PIECE_BYTES >= bytes.length;
    const body = bytes.slice(offset, offset + PIECE_BYTES);
    const command = isLast ? 'upload, finalize' : 'upload';
    checkOk(await client.command(url, command, { offset, body }));
  }
  ledger.unfinished.delete(file);
}

/** The number of the version that is stored; fails when what is stored is no whole version. */
async function storedVersion(client: Client, file: string): Promise<number> {
  const response = await client.send(`${client.objectUrl(file)}?alt=media`);
  if (response.status === 404) return 0;
  const bytes = new Uint8Array(await response.arrayBuffer());
  const n = bytes.length - 3 * PIECE_BYTES;
  expect(md5(bytes)).toBe(md5(contentsOf(n)));
  expect((await client.metadata(file))['md5Hash']).toBe(md5(bytes));
  return n;
}

/** Goes on with an upload on another port, where the restarted server listens. */
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

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

describe('kill -9 during uploads', () => {
  it(`loses no acknowledged upload, shows no half file and resumes the rest, ${ROUNDS} times`, async () => {
    const dataDir = await tempFolder();
    const ledger: Ledger = { acknowledged: new Map(), sent: new Map(), unfinished: new Map() };
    const files = Array.from({ length: WRITERS }, (_, at) => `audios/${at}.webm`);
    let owner: StorageOwner | undefined;
    for (let round = 0; round < ROUNDS; round++) {
      const server = spawnBackend(['--port', '0', '--data', dataDir]);
      const port = await server.port;
      const signedIn = (owner ??= await signUpWithPet(port));
      const client = storageClientFor({ port }, signedIn);
      const target = total(ledger) + 4 + Math.floor(Math.random() * 20);
      const running = files.map((file) => uploadUntilKilled(client, file, ledger));
      await until(() => total(ledger) >= target);
      server.child.kill('SIGKILL');
      await server.exit;
      await Promise.all(running);

      const restarted = spawnBackend(['--port', '0', '--data', dataDir]);
      const reader = storageClientFor({ port: await restarted.port }, signedIn);
      for (const file of files) {
        const stored = await storedVersion(reader, file);
        expect(stored).toBeGreaterThanOrEqual(ledger.acknowledged.get(file) ?? 0);
        expect(stored).toBeLessThanOrEqual(ledger.sent.get(file) ?? 0);
        await resume(reader, file, ledger);
      }
      restarted.child.kill('SIGKILL');
      await restarted.exit;
    }
    // Orphans are few: at most one per writer and crash, and they are swept when they are old.
    const left = await readdir(join(dataDir, 'files', 'files'));
    expect(left.length).toBeLessThanOrEqual(WRITERS * (2 * ROUNDS + 1));
  });
});
