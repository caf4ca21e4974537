import * as sdk from '../browser/sdk.ts';
import { createFuzzClient, type FuzzClient } from '../fuzz/fuzz-client.ts';
import { documentCases } from './document-cases.ts';
import { createHost } from './host.ts';
import { listenCases } from './listen-cases.ts';
import { queryCases } from './query-cases.ts';

let started: ReturnType<typeof createHost> | undefined;

/** Opens a client whose cache outlives the page and is shared by the tabs of a profile. */
async function openPersistent(email: string) {
  const app = sdk.initializeApp({ apiKey: 'key', projectId: 'demo-pawpals' }, 'persistent');
  const auth = sdk.initializeAuth(app, { persistence: sdk.inMemoryPersistence });
  sdk.connectAuthEmulator(auth, location.origin, { disableWarnings: true });
  const password = 'Correct-horse-7';
  await sdk
    .createUserWithEmailAndPassword(auth, email, password)
    .catch(() => sdk.signInWithEmailAndPassword(auth, email, password));
  return sdk.initializeFirestore(app, {
    host: location.host,
    ssl: false,
    localCache: sdk.persistentLocalCache({ tabManager: sdk.persistentMultipleTabManager() }),
  });
}

let persistent: Awaited<ReturnType<typeof openPersistent>> | undefined;
const db = () => {
  if (persistent === undefined) throw new Error('There is no client.');
  return persistent;
};

let fuzzClient: FuzzClient | undefined;

/** The functions that a test in Node calls in a page. */
const page = {
  sdk,
  db,
  async startFuzz(isWhole: boolean): Promise<void> {
    fuzzClient = createFuzzClient(sdk, await openPersistent('fuzz@example.com'), isWhole);
  },
  fuzz(): FuzzClient {
    if (fuzzClient === undefined) throw new Error('There is no client.');
    return fuzzClient;
  },
  /** The result of the live query: ids with their numbers, marked while it comes from the cache. */
  shown: '',
  async open(email: string, at: string): Promise<void> {
    persistent = await openPersistent(email);
    sdk.onSnapshot(sdk.collection(db(), at), { includeMetadataChanges: true }, (snapshot) => {
      const text = snapshot.docs.map((each) => `${each.id}${String(each.get('n'))}`).join(' ');
      page.shown = snapshot.metadata.fromCache ? `${text} (cache)` : text;
    });
  },
  async run(name: string, isLite: boolean): Promise<void> {
    const host = await (started ??= createHost({ sdk, origin: location.origin }));
    const shared = [...documentCases, ...queryCases].find((each) => each.name === name);
    const full = listenCases.find((each) => each.name === name);
    if (isLite && shared !== undefined) return host.runLite(shared);
    const found = shared ?? full;
    if (found === undefined) throw new Error(`There is no case ${name}`);
    return host.run(found);
  },
};

export type ConformancePage = typeof page;

Object.assign(window, { conformance: page });
