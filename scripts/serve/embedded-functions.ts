import type { AdminFirestore } from '../../backend/src/firestore/admin-firestore.ts';
import { eraseAccount } from '../../functions/src/account-cleanup/erase-account.ts';
import type {
  CleanupDocuments,
  CleanupFiles,
  CleanupPorts,
} from '../../functions/src/account-cleanup/ports.ts';
import {
  scheduleFileCleanup,
  type FileCleanupHost,
  type FileCleanupOptions,
} from './embedded-file-cleanup.ts';

/** The part of the embedded backend that functions need. */
export interface FunctionsHost {
  readonly firestore: AdminFirestore;
  readonly storage: {
    list(query: { readonly prefix: string; readonly limit: number }): {
      readonly objects: readonly { readonly name: string }[];
    };
    delete(name: string): Promise<unknown>;
  };
  readonly accounts: {
    /** Calls the listener until it resolves, also after a crash. @returns a function that stops it. */
    onDeleted(listener: (event: { readonly uid: string }) => Promise<void>): () => void;
  };
}

function createEmbeddedDocuments(firestore: AdminFirestore): CleanupDocuments {
  return {
    closeSync: (uid) => firestore.commit([{ merge: `sync/${uid}`, data: { closed: true } }]),
    async find(query, limit) {
      const paths: string[] = [];
      for await (const { path } of firestore.stream({ ...query, limit })) paths.push(path);
      return paths;
    },
    delete: (paths) => firestore.commit(paths.map((path) => ({ delete: path }))),
  };
}

function createEmbeddedFiles(storage: FunctionsHost['storage']): CleanupFiles {
  return {
    find: async (prefix, limit) => storage.list({ prefix, limit }).objects.map(({ name }) => name),
    delete: async (names) => {
      for (const name of names) await storage.delete(name);
    },
  };
}

export const createEmbeddedPorts = ({
  firestore,
  storage,
}: Pick<FunctionsHost, 'firestore' | 'storage'>): CleanupPorts => ({
  documents: createEmbeddedDocuments(firestore),
  files: createEmbeddedFiles(storage),
});

/** Runs the deployed functions on the embedded backend. @returns a function that stops them. */
export function mountFunctions(
  host: FunctionsHost & FileCleanupHost,
  options: Omit<FileCleanupOptions, 'signal'> = {},
): () => void {
  const ports = createEmbeddedPorts(host);
  const endAccountCleanup = host.accounts.onDeleted(async ({ uid }) => {
    await eraseAccount(ports, uid);
  });
  const endFileCleanup = scheduleFileCleanup(host, options);
  return () => {
    endAccountCleanup();
    endFileCleanup();
  };
}
