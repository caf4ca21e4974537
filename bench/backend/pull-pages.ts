import type { LocalDocument } from '../../schemas/documents/document.ts';
import { commitMaxDocuments } from '../../schemas/limits.ts';
import {
  openFirestoreClient,
  type FirestoreClient,
} from '../../tests/support/servers/firestore-client.ts';
import { inPieces, newEntries, newPack, newPet } from '../page/entries.ts';

export const entryCount = 10_000;
export const journalEmail = 'pull@example.com';
export const packEmail = 'pack@example.com';
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

/** Pushes the documents. @returns milliseconds of each commit. */
export async function pushAll(client: FirestoreClient, documents: readonly LocalDocument[]) {
  const commitMs: number[] = [];
  for (const piece of inPieces(documents, commitMaxDocuments)) {
    const startMs = performance.now();
    await pushPiece(client, piece);
    commitMs.push(performance.now() - startMs);
  }
  return commitMs;
}

/** Stores 10,000 documents of one collection: dogs of a new owner. */
export async function fillPack(url: string): Promise<void> {
  const client = await openFirestoreClient({ url, email: packEmail, isNew: true });
  try {
    await pushAll(client, newPack(entryCount));
  } finally {
    await client.close();
  }
}

const storedCount = 100_000;

/** Stores 100,000 entries of a new owner. */
export async function fillStore(url: string): Promise<void> {
  const client = await openFirestoreClient({ url, email: journalEmail, isNew: true });
  try {
    await pushAll(client, [newPet(Date.now()), ...newEntries(storedCount)]);
  } finally {
    await client.close();
  }
}

export interface PullPages {
  /** Milliseconds of each page. */
  readonly pageMs: readonly number[];
  /** Milliseconds of each commit of 100 while the server was filled. */
  readonly commitMs: readonly number[];
}

/** Measures a push and a pull of 10,000 entries by the Firestore SDK, like a device. */
export async function measurePullPages(url: string): Promise<PullPages> {
  const client = await openFirestoreClient({ url, email: journalEmail, isNew: true });
  try {
    const commitMs = await pushAll(client, [newPet(Date.now()), ...newEntries(entryCount)]);
    const pageMs: number[] = [];
    for (let round = 0; round < rounds; round += 1) pageMs.push(...(await pullAll(client)));
    return { pageMs, commitMs };
  } finally {
    await client.close();
  }
}
