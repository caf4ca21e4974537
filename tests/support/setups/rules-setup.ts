import { deleteApp, FirebaseError, initializeApp } from 'firebase/app';
import {
  collection,
  collectionGroup,
  doc,
  getDoc,
  getDocs,
  initializeFirestore,
  query,
  serverTimestamp,
  setDoc,
  where,
  writeBatch,
  type DocumentData,
  type Firestore,
} from 'firebase/firestore/lite';
import { afterAll, beforeAll } from 'vitest';
import type { PlainData } from '../../../backend/src/firestore/values/plain-data.ts';
import type { Backend } from '../../../backend/src/server.ts';
import { startTestBackend, type TestBackend } from '../servers/backend-in-process.ts';
import type { deployedFiles } from '../built-app/deployed-files.ts';
import { openFirestoreClient } from '../servers/firestore-client.ts';

/** The result of a request to the backend, which enforces the deployed rules. */
export type Outcome = 'allowed' | 'denied';

/**
 * A write as a device makes it: the fields that the engine adds to every document are added unless `data` sets them.
 */
export interface RulesWrite {
  readonly path: string;
  readonly data: DocumentData;
  /** The fields that are written, as in a push; the whole document is replaced if absent. */
  readonly mask?: readonly string[];
  /** Whether `data` is written without the engine's fields. */
  readonly isBare?: boolean;
}

export interface Head {
  readonly head: unknown;
  readonly epoch: unknown;
}

export interface Person {
  readonly uid: string;
  readonly firestore: Firestore;
  /** Commits the writes with the next seqs. `head` replaces the new head; null leaves the head unchanged. */
  push(writes: readonly RulesWrite[], head?: Head | null): Promise<Outcome>;
  set(path: string, data: DocumentData): Promise<Outcome>;
  remove(path: string): Promise<Outcome>;
  get(path: string): Promise<Outcome>;
  /** Lists all documents of a collection, or those whose field equals the value. */
  list(path: string, equals?: readonly [field: string, value: unknown]): Promise<Outcome>;
  listGroup(id: string, equals?: readonly [field: string, value: unknown]): Promise<Outcome>;
}

export interface RulesWorld {
  readonly backend: Backend;
  readonly alice: Person;
  readonly bob: Person;
  readonly nobody: Person;
  /** Stores a document without checking the rules. */
  readonly seed: (path: string, data: PlainData) => Promise<void>;
  /** Returns the owner's head, 0 before the first commit. */
  headOf(uid: string): number;
  close(): Promise<void>;
}

const refusals = new Set(['permission-denied', 'storage/unauthorized', 'storage/unauthenticated']);

export async function outcomeOf(asked: Promise<unknown>): Promise<Outcome> {
  try {
    await asked;
    return 'allowed';
  } catch (error) {
    const isDenied = error instanceof FirebaseError && refusals.has(error.code);
    if (isDenied) return 'denied';
    throw error;
  }
}

interface Account {
  readonly uid: string;
  readonly firestore: Firestore;
}

function createPerson({ uid, firestore }: Account, headOf: RulesWorld['headOf']): Person {
  const filtered = (path: ReturnType<typeof collection>, equals?: readonly [string, unknown]) =>
    equals === undefined ? path : query(path, where(equals[0], '==', equals[1]));
  return {
    uid,
    firestore,
    push(writes, moved) {
      const before = headOf(uid);
      const head = moved === undefined ? { head: before + writes.length, epoch: 'e' } : moved;
      const batch = writeBatch(firestore);
      for (const [at, { path, data, mask, isBare = false }] of writes.entries()) {
        const sync = { seq: before + 1 + at, deleted: false, updatedAt: serverTimestamp() };
        const full = isBare ? data : { ...sync, ...data };
        const fields = [...(mask ?? []), ...(isBare ? [] : Object.keys(sync))];
        if (mask === undefined) batch.set(doc(firestore, path), full);
        else batch.set(doc(firestore, path), full, { mergeFields: fields });
      }
      if (head !== null) batch.set(doc(firestore, 'sync', uid), { ...head });
      return outcomeOf(batch.commit());
    },
    set: (path, data) => outcomeOf(setDoc(doc(firestore, path), data)),
    remove: (path) => outcomeOf(writeBatch(firestore).delete(doc(firestore, path)).commit()),
    get: (path) => outcomeOf(getDoc(doc(firestore, path))),
    list: (path, equals) => outcomeOf(getDocs(filtered(collection(firestore, path), equals))),
    listGroup: (id, equals) => {
      const group = collectionGroup(firestore, id);
      const asked = equals === undefined ? group : query(group, where(equals[0], '==', equals[1]));
      return outcomeOf(getDocs(asked));
    },
  };
}

export async function openRulesWorld(files?: Partial<typeof deployedFiles>): Promise<RulesWorld> {
  const test: TestBackend = await startTestBackend(files);
  const backend = test.current();
  const { url } = backend;
  const headOf = (uid: string): number =>
    Number(backend.firestore.get(`sync/${uid}`)?.['head'] ?? 0);
  const alice = await openFirestoreClient({ url, email: 'alice@example.com', isNew: true });
  const bob = await openFirestoreClient({ url, email: 'bob@example.com', isNew: true });
  const app = initializeApp({ projectId: 'demo-pawpals' }, crypto.randomUUID());
  const firestore = initializeFirestore(app, { host: new URL(url).host, ssl: false });
  return {
    backend,
    alice: createPerson(alice, headOf),
    bob: createPerson(bob, headOf),
    nobody: createPerson({ uid: 'nobody', firestore }, headOf),
    seed: async (path, data) => backend.firestore.commit([{ set: path, data }]),
    headOf,
    close: async () => {
      await Promise.all([alice.close(), bob.close(), deleteApp(app)]);
      await test.dispose();
    },
  };
}

/** Opens one world for all tests of a file. @returns a function that returns it. */
export function useRulesWorld(): () => RulesWorld {
  let world: RulesWorld | null = null;
  beforeAll(async () => {
    world = await openRulesWorld();
  });
  afterAll(() => world?.close());
  return () => {
    if (world === null) throw new Error('There is no world yet.');
    return world;
  };
}

/** Returns a pet with every field that an owner can fill in. */
export const petData = (ownerId: string, petId: string): PlainData => ({
  ownerId,
  name: 'Bramble',
  breed: 'Vizsla',
  dob: new Date('2021-04-17T00:00:00Z'),
  profilePicturePath: `pets/${petId}/images/profile.webp`,
  profilePictureVersion: '5d41402abc4b2a76b9719d911017c592',
  description: 'Keen nose.',
  edits: { name: 1_700_000_000_000, breed: 1_700_000_000_001 },
});

export const entryData = (createdBy: string, petId: string): PlainData => ({
  createdBy,
  createdDate: new Date('2024-05-01T07:30:00.250Z'),
  type: 'voice-note',
  text: 'Ducks',
  transcript: 'done',
  formerTexts: '[{"text":"Duks","untilMs":1700000000000}]',
  fileLocation: `pets/${petId}/audios/voice-note-1700000000000.webm`,
  contentType: 'audio/webm;codecs=opus',
  durationMs: 2_500.5,
  waveform: '0123456789abcdef',
  edits: { text: 1_700_000_000_000 },
});
