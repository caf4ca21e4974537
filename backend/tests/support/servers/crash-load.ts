import { expect } from 'vitest';
import { isJsonObject } from '../../../src/json.ts';
import type { rawClient } from '../clients/raw-client.ts';
import { testPassword, newEmail } from '../clients/sdk-user.ts';
import { databaseNames } from '../test-database.ts';

type Client = ReturnType<typeof rawClient>;

/** A load of commits and sign-ups, with a record of the acknowledged ones. */
export interface CrashLoad {
  /** Works until the server is gone. */
  run(client: Client): Promise<void>;
  /** Checks that everything that was acknowledged is stored, once the server is back. */
  verify(client: Client): Promise<void>;
  acknowledged(): number;
}

const writers = Array.from({ length: 8 }, (_, at) => `w${at}`);

/** Two documents of one commit: a batch is whole when both carry the same number. */
const batch = (writer: string, n: number) => ({
  writes: ['left', 'right'].map((side) => ({
    update: {
      name: databaseNames.toName(`load/${writer}-${side}`),
      fields: { n: { integerValue: String(n) } },
    },
  })),
});

const until = async (step: () => Promise<boolean>) => {
  while (await step());
};

export function createLoad(): CrashLoad {
  /** The highest number of each writer that was acknowledged, and that was sent. */
  const acknowledged = new Map<string, number>();
  const sent = new Map<string, number>();
  let emails: string[] = [];
  let lastVersion = '';
  let total = 0;
  let idToken = '';

  /** Makes a request; resolves to null when the server is gone. */
  const ask = async (client: Client, method: string, body: unknown) => {
    const answer = await client.firestore(method, body, idToken).catch(() => null);
    if (answer !== null) expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
    return answer;
  };

  const commit = async (client: Client, writer: string): Promise<boolean> => {
    const n = (sent.get(writer) ?? 0) + 1;
    sent.set(writer, n);
    const answer = await ask(client, 'commit', batch(writer, n));
    if (answer === null) return false;
    const version = isJsonObject(answer.body) ? String(answer.body['commitTime']) : '';
    if (version > lastVersion) lastVersion = version;
    acknowledged.set(writer, n);
    total++;
    return true;
  };

  const signUp = async (client: Client): Promise<boolean> => {
    const email = newEmail();
    const answer = await client
      .account('signUp', { email, password: testPassword })
      .catch(() => null);
    if (answer?.status !== 200) return false;
    emails.push(email);
    return true;
  };

  const verifyAccounts = async (client: Client) => {
    for (const email of emails) {
      const credentials = { email, password: testPassword, returnSecureToken: true };
      const { status, body } = await client.account('signInWithPassword', credentials);
      expect([email, status]).toEqual([email, 200]);
      idToken = isJsonObject(body) ? String(body['idToken']) : '';
    }
    emails = emails.slice(-1);
  };

  const verifyDocuments = async (client: Client) => {
    for (const writer of writers) {
      const documents = ['left', 'right'].map((side) =>
        databaseNames.toName(`load/${writer}-${side}`),
      );
      const text = JSON.stringify((await ask(client, 'batchGet', { documents }))?.body);
      const found = [...text.matchAll(/"integerValue":"(\d+)"/g)].map(([, n]) => Number(n));
      const [left = 0, right = 0, ...more] = found;
      expect([writer, right, more]).toEqual([writer, left, []]);
      expect(left).toBeGreaterThanOrEqual(acknowledged.get(writer) ?? 0);
      expect(left).toBeLessThanOrEqual(sent.get(writer) ?? 0);
      sent.set(writer, left);
    }
  };

  return {
    acknowledged: () => total,
    async run(client) {
      await Promise.all([
        ...writers.map((writer) => until(() => commit(client, writer))),
        until(() => signUp(client)),
      ]);
    },
    async verify(client) {
      if (emails.length === 0) expect(await signUp(client)).toBe(true);
      await verifyAccounts(client);
      await verifyDocuments(client);
      const before = lastVersion;
      expect(await commit(client, 'check')).toBe(true);
      expect(lastVersion > before).toBe(true);
    },
  };
}
