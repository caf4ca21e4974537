import type { LocalDocument } from '../../schemas/document.ts';
import { commitMaxDocuments } from '../../schemas/limits.ts';
import { openFirestoreClient, type FirestoreClient } from '../../tests/support/firestore-client.ts';
import { inPieces, newEntries, newPet } from '../page/entries.ts';

export const entryCount = 10_000;
export const journalEmail = 'pull@example.com';
const pageSize = 500;
const rounds = 5;

export function pushPiece(client: FirestoreClient, piece: readonly LocalDocument[]): Promise<void> {
  return client.documents.transact([], ({ head }) => {
    const start = head?.head ?? 0;
    const writes = piece.map((document, index) => ({
      ...document,
      ownerId: client.uid,
      seq: start + index + 1,
    }));
    return { head: { head: start + writes.length, epoch: 'bench' }, writes, result: undefined };
  });
}

async function pullAll({ documents }: FirestoreClient): Promise<number[]> {
  const pageMs: number[] = [];
  let afterSeq = 0;
  for (;;) {
    const startMs = performance.now();
    const page = await documents.pull('entries', afterSeq, pageSize);
    pageMs.push(performance.now() - startMs);
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return pageMs.slice(0, -1);
    afterSeq = last.seq;
  }
}

export interface PullPages {
  /** Milliseconds of each page. */
  readonly pageMs: readonly number[];
  /** Milliseconds of each commit of 100 while the server was filled. */
  readonly commitMs: readonly number[];
}

/** A journal of 10,000 entries pushed and then pulled by the Firestore SDK, as a device does. */
export async function measurePullPages(url: string): Promise<PullPages> {
  const client = await openFirestoreClient({ url, email: journalEmail, isNew: true });
  try {
    const commitMs: number[] = [];
    const documents = [newPet(Date.now()), ...newEntries(entryCount)];
    for (const piece of inPieces(documents, commitMaxDocuments)) {
      const startMs = performance.now();
      await pushPiece(client, piece);
      commitMs.push(performance.now() - startMs);
    }
    const pageMs: number[] = [];
    for (let round = 0; round < rounds; round += 1) pageMs.push(...(await pullAll(client)));
    return { pageMs, commitMs };
  } finally {
    await client.close();
  }
}
