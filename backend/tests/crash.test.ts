import { describe, expect, it, vi } from 'vitest';
import { isJsonObject } from '../src/json.ts';
import { spawnBackend } from './support/backend-process.ts';
import { rawClient } from './support/raw-client.ts';
import { tempFolder } from './support/temp-folder.ts';
import { NAMES } from './support/test-database.ts';

/** For a busy machine; the tests themselves wait for conditions. */
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const ROUNDS = 5;
const WRITERS = 8;

interface Ledger {
  /** The highest number of each writer the server has acknowledged. */
  readonly acknowledged: Map<string, number>;
  /** The highest number each writer has sent. */
  readonly sent: Map<string, number>;
  lastCommitTime: string;
}

/** Two documents of one commit: a batch is whole when both carry the same number. */
const batch = (writer: string, uid: string, n: number) => ({
  writes: ['left', 'right'].map((side) => ({
    update: {
      name: NAMES.toName(`pets/${writer}-${side}`),
      fields: { ownerId: { stringValue: uid }, n: { integerValue: String(n) } },
    },
  })),
});

type Client = ReturnType<typeof rawClient>;
type Session = Awaited<ReturnType<Client['signUp']>>;

/** Commits one number after the other until the server is gone. */
async function writeUntilKilled(
  client: Client,
  session: Session,
  options: { writer: string; ledger: Ledger },
) {
  const { writer, ledger } = options;
  for (;;) {
    const n = (ledger.sent.get(writer) ?? 0) + 1;
    ledger.sent.set(writer, n);
    let answer: Awaited<ReturnType<Client['firestore']>>;
    try {
      answer = await client.firestore('commit', batch(writer, session.uid, n), session.idToken);
    } catch {
      return;
    }
    expect(answer.status).toBe(200);
    const commitTime = isJsonObject(answer.body) ? String(answer.body['commitTime']) : '';
    ledger.acknowledged.set(writer, n);
    if (commitTime > ledger.lastCommitTime) ledger.lastCommitTime = commitTime;
  }
}

async function numbersOf(client: Client, session: Session, writer: string): Promise<number[]> {
  const documents = ['left', 'right'].map((side) => NAMES.toName(`pets/${writer}-${side}`));
  const { body } = await client.firestore('batchGet', { documents }, session.idToken);
  const text = JSON.stringify(body);
  return [...text.matchAll(/"integerValue":"(\d+)"/g)].map(([, digits]) => Number(digits));
}

describe('kill -9 under load', () => {
  it(`loses no acknowledged commit, splits none and never goes back, ${ROUNDS} times`, async () => {
    const dataDir = await tempFolder();
    const ledger: Ledger = { acknowledged: new Map(), sent: new Map(), lastCommitTime: '' };
    let session: Session | undefined;
    for (let round = 0; round < ROUNDS; round++) {
      const server = spawnBackend(['--port', '0', '--data', dataDir]);
      const client = rawClient({ port: await server.port });
      // The account of the first round is acknowledged like any commit: it must last as well.
      session ??= await client.signUp();
      const user = session;
      const lastBefore = ledger.lastCommitTime;
      const target = 30 + Math.floor(Math.random() * 200);
      const writers = Array.from({ length: WRITERS }, (_, at) => `w${at}`);
      const before = total(ledger);
      const running = writers.map((writer) => writeUntilKilled(client, user, { writer, ledger }));
      await until(() => total(ledger) - before >= target);
      server.child.kill('SIGKILL');
      expect(await server.exit).toBe('SIGKILL');
      await Promise.all(running);

      const restarted = spawnBackend(['--port', '0', '--data', dataDir]);
      const reader = rawClient({ port: await restarted.port });
      for (const writer of writers) {
        const [left = 0, right = 0, ...more] = await numbersOf(reader, user, writer);
        expect([writer, right, more]).toEqual([writer, left, []]);
        expect(left).toBeGreaterThanOrEqual(ledger.acknowledged.get(writer) ?? 0);
        expect(left).toBeLessThanOrEqual(ledger.sent.get(writer) ?? 0);
        ledger.sent.set(writer, left);
      }
      const { body } = await reader.firestore(
        'commit',
        batch('check', user.uid, round),
        user.idToken,
      );
      const commitTime = isJsonObject(body) ? String(body['commitTime']) : '';
      expect(commitTime > ledger.lastCommitTime).toBe(true);
      expect(ledger.lastCommitTime > lastBefore).toBe(true);
      restarted.child.kill('SIGKILL');
      await restarted.exit;
    }
    expect(total(ledger)).toBeGreaterThanOrEqual(ROUNDS * 30);
  });
});

const total = ({ acknowledged }: Ledger) =>
  [...acknowledged.values()].reduce((sum, each) => sum + each, 0);

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
