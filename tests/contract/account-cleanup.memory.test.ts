import type { CleanupDocuments } from '../../functions/src/account-cleanup/ports.ts';
import { createMemoryFiles } from '../support/fakes/memory-files.ts';
import { describeAccountCleanup } from './account-cleanup.ts';

type Documents = Map<string, Readonly<Record<string, unknown>>>;

function createMemoryDocuments(documents: Documents): CleanupDocuments {
  const isIn = (path: string, collection: string, isGroup: boolean) => {
    const parent = path.slice(0, path.lastIndexOf('/'));
    return parent === collection || (isGroup && parent.endsWith(`/${collection}`));
  };
  return {
    closeSync: async (uid) => {
      documents.set(`sync/${uid}`, { ...documents.get(`sync/${uid}`), closed: true });
    },
    find: async ({ collection, isGroup, equals }, limit) =>
      [...documents]
        .filter(([path]) => isIn(path, collection, isGroup))
        .filter(([, data]) => equals === undefined || data[equals.field] === equals.value)
        .map(([path]) => path)
        .slice(0, limit),
    delete: async (paths) => paths.forEach((path) => documents.delete(path)),
  };
}

describeAccountCleanup('memory', async () => {
  const documents: Documents = new Map();
  const files = createMemoryFiles();
  return {
    ports: { documents: createMemoryDocuments(documents), files },
    put: async (put) => {
      for (const [path, data] of Object.entries(put)) documents.set(path, data);
    },
    get: async (path) => documents.get(path) ?? null,
    upload: async (name) => void files.names.add(name),
    fileNames: async () => [...files.names],
    dispose: async () => {},
  };
});
