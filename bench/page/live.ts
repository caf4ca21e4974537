import { initializeApp } from 'firebase/app';
import {
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  initializeAuth,
  inMemoryPersistence,
  signInWithEmailAndPassword,
} from 'firebase/auth';
import {
  collection,
  collectionGroup,
  disableNetwork,
  doc,
  enableNetwork,
  initializeFirestore,
  memoryLocalCache,
  onSnapshot,
  query,
  setDoc,
  where,
  type Firestore,
  type QuerySnapshot,
} from 'firebase/firestore';
import { newId } from '../../src/platform/new-id.ts';
import type { Account, Listened, LivePage, LiveRequest, WriteTimes } from './live-page.ts';
import { timed } from './stopwatch.ts';

const newPassword = 'Walkies-4-all';
const warmUps = 5;

/** Opens one device: an app of its own with the full SDK. */
async function openDevice({ url, email, password }: Account, isNew: boolean) {
  const settings = { apiKey: 'embedded', projectId: 'demo-pawpals', appId: 'pawpals' };
  const app = initializeApp(settings, newId());
  const auth = initializeAuth(app, { persistence: inMemoryPersistence });
  connectAuthEmulator(auth, url, { disableWarnings: true });
  const enter = isNew ? createUserWithEmailAndPassword : signInWithEmailAndPassword;
  const { user } = await enter(auth, email, password);
  const server = { host: new URL(url).host, ssl: false, localCache: memoryLocalCache() };
  return { db: initializeFirestore(app, server), uid: user.uid };
}

const newAccount = (url: string): Account => ({
  url,
  email: `${newId()}@example.com`,
  password: newPassword,
});

const headOf = ({ db, uid }: { readonly db: Firestore; readonly uid: string }) =>
  doc(db, 'sync', uid);

async function writes(url: string, sequential: number, parallel: number): Promise<WriteTimes> {
  const ref = headOf(await openDevice(newAccount(url), true));
  let head = 0;
  const writeNext = (): Promise<void> => {
    head += 1;
    return setDoc(ref, { head, epoch: 'bench' });
  };
  for (let write = 0; write < warmUps; write += 1) await writeNext();
  const sequentialMs = await timed(async () => {
    for (let write = 0; write < sequential; write += 1) await writeNext();
  });
  const parallelMs = await timed(async () => {
    await Promise.all(Array.from({ length: parallel }, writeNext));
  });
  return { sequentialMs, parallelMs };
}

let listening: { readonly db: Firestore; readonly until: Until } | null = null;
type IsReached = (snapshot: QuerySnapshot) => boolean;
type Until = (isReached: IsReached) => Promise<void>;

/** Watches a collection, and counts only documents that the server has confirmed. */
function watch(db: Firestore, uid: string, collectionId: string): Until {
  let latest: QuerySnapshot | null = null;
  let waiting: { readonly isReached: IsReached; readonly resolve: () => void } | null = null;
  const check = (): void => {
    if (latest === null || latest.metadata.fromCache) return;
    if (waiting?.isReached(latest) === true) waiting.resolve();
  };
  const all =
    collectionId === 'pets'
      ? query(collection(db, 'pets'), where('ownerId', '==', uid))
      : query(collectionGroup(db, 'journalEntries'), where('createdBy', '==', uid));
  onSnapshot(all, { includeMetadataChanges: true }, (snapshot) => {
    latest = snapshot;
    check();
  });
  return (isReached) =>
    new Promise((resolve) => {
      waiting = { isReached, resolve };
      check();
    });
}

async function listen(account: Account, { collectionId, count }: Listened): Promise<number> {
  const { db, uid } = await openDevice(account, false);
  return timed(async () => {
    const until = watch(db, uid, collectionId);
    listening = { db, until };
    await until(({ size }) => size === count);
  });
}

async function disconnect(): Promise<void> {
  if (listening !== null) await disableNetwork(listening.db);
}

async function catchUp(seq: number): Promise<number> {
  if (listening === null) throw new Error('Nothing listens');
  const { db, until } = listening;
  return timed(async () => {
    await enableNetwork(db);
    await until(({ docs }) => docs.some((each) => each.get('seq') === seq));
  });
}

async function latencies({ url, commits }: LiveRequest): Promise<readonly number[]> {
  const account = newAccount(url);
  const writer = headOf(await openDevice(account, true));
  const reader = headOf(await openDevice(account, false));
  const heard = new Map<number, () => void>();
  await setDoc(writer, { head: 0, epoch: 'bench' });
  onSnapshot(reader, (snapshot) => heard.get(Number(snapshot.data()?.['head']))?.());
  const found: number[] = [];
  for (let head = 1; head <= warmUps + commits; head += 1) {
    const isHeard = new Promise<void>((resolve) => {
      heard.set(head, resolve);
    });
    const ms = await timed(async () => {
      const isCommitted = setDoc(writer, { head, epoch: 'bench' });
      await isHeard;
      await isCommitted;
    });
    if (head > warmUps) found.push(ms);
  }
  return found;
}

const live: LivePage = { latencies, writes, listen, disconnect, catchUp };
Object.assign(window, { live });
