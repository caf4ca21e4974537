import { initializeApp } from 'firebase/app';
import {
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  initializeAuth,
  inMemoryPersistence,
  signInWithEmailAndPassword,
} from 'firebase/auth';
import { doc, initializeFirestore, memoryLocalCache, onSnapshot, setDoc } from 'firebase/firestore';
import { newId } from '../../src/platform/new-id.ts';
import type { LivePage, LiveRequest } from './live-page.ts';
import { timed } from './stopwatch.ts';

const password = 'Walkies-4-all';
const warmUps = 5;

/** One device: an app of its own with the full SDK. */
async function openDevice(url: string, email: string, isNew: boolean) {
  const settings = { apiKey: 'embedded', projectId: 'demo-pawpals', appId: 'pawpals' };
  const app = initializeApp(settings, newId());
  const auth = initializeAuth(app, { persistence: inMemoryPersistence });
  connectAuthEmulator(auth, url, { disableWarnings: true });
  const enter = isNew ? createUserWithEmailAndPassword : signInWithEmailAndPassword;
  const { user } = await enter(auth, email, password);
  const server = { host: new URL(url).host, ssl: false, localCache: memoryLocalCache() };
  return doc(initializeFirestore(app, server), 'sync', user.uid);
}

async function latencies({ url, commits }: LiveRequest): Promise<readonly number[]> {
  const email = `${newId()}@example.com`;
  const writer = await openDevice(url, email, true);
  const reader = await openDevice(url, email, false);
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

const live: LivePage = { latencies };
Object.assign(window, { live });
