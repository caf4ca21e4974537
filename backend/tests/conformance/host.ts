import type { Auth } from 'firebase/auth';
import type { FirebaseApp } from 'firebase/app';
import type { Firestore, FirestoreSettings } from 'firebase/firestore';
import type * as Sdk from '../browser/sdk.ts';
import type { Case, SharedCase, World } from './world.ts';

/**
 * Runs cases with one signed-in client that most of them share; each gets its own collection. It
 * is part of the page in a browser and imported in Node.
 */
export interface Host {
  run(each: Case): Promise<void>;
  runLite(each: SharedCase): Promise<void>;
  close(): Promise<void>;
}

export interface HostDeps {
  readonly sdk: typeof Sdk;
  readonly origin: string;
}

let opened = 0;
const unique = () => `${Date.now().toString(36)}${Math.random().toString(36).slice(2)}${++opened}`;

export async function createHost(deps: HostDeps): Promise<Host> {
  const { sdk, origin } = deps;
  const { lite } = sdk;
  const { host, protocol } = new URL(origin);
  const server = { host, ssl: protocol === 'https:' };
  sdk.setLogLevel('silent');
  lite.setLogLevel('silent');

  const openApp = () => {
    const app = sdk.initializeApp({ apiKey: 'key', projectId: 'demo-pawpals' }, unique());
    const auth = sdk.initializeAuth(app, { persistence: sdk.inMemoryPersistence });
    sdk.connectAuthEmulator(auth, origin, { disableWarnings: true });
    return { app, auth };
  };
  const signIn = ({ auth }: { app: FirebaseApp; auth: Auth }) =>
    sdk.createUserWithEmailAndPassword(auth, `${unique()}@example.com`, 'Correct-horse-7');
  const connect = async (settings: FirestoreSettings = {}) => {
    const opening = openApp();
    await signIn(opening);
    const db = sdk.initializeFirestore(opening.app, { ...server, ...settings });
    return { db, close: () => sdk.deleteApp(opening.app) };
  };

  const [common, writer] = await Promise.all([connect(), connect()]);
  const liteApp = openApp();
  await signIn(liteApp);
  const liteDb = lite.initializeFirestore(liteApp.app, server);

  const worldOf = (db: Firestore, writerDb: Firestore) => {
    const clients: (() => Promise<void>)[] = [];
    const world: World = {
      sdk,
      db,
      writer: writerDb,
      at: `c${unique()}`,
      async connect(settings) {
        const client = await connect(settings);
        clients.push(client.close);
        return client.db;
      },
    };
    return { world, close: () => Promise.all(clients.map((close) => close())) };
  };

  return {
    async run(each) {
      const { world, close } = worldOf(common.db, writer.db);
      try {
        await each.run(world);
      } finally {
        await close();
      }
    },
    async runLite(each) {
      // Both builds have these functions with the same meaning; only their class types differ.
      const names: unknown = {
        ...sdk,
        ...lite,
        getCountFromServer: lite.getCount,
        getAggregateFromServer: lite.getAggregate,
      };
      const db: unknown = liteDb;
      // oxlint-disable typescript/no-unsafe-type-assertion -- as above
      const { world, close } = worldOf(db as Firestore, db as Firestore);
      await each.run({ ...world, sdk: names as typeof Sdk });
      // oxlint-enable typescript/no-unsafe-type-assertion
      await close();
    },
    async close() {
      await Promise.all([common.close(), writer.close()]);
      await sdk.deleteApp(liteApp.app);
    },
  };
}
