import { createEmbeddedPorts } from '../../scripts/serve/embedded-functions.ts';
import { startTestBackend } from '../support/servers/backend-in-process.ts';
import { describeAccountCleanup } from './account-cleanup.ts';

describeAccountCleanup('the embedded backend', async () => {
  const backend = await startTestBackend();
  const { firestore, storage } = backend.current();
  return {
    ports: createEmbeddedPorts({ firestore, storage }),
    put: (documents) =>
      firestore.commit(Object.entries(documents).map(([path, data]) => ({ set: path, data }))),
    get: async (path) => firestore.get(path),
    upload: async (name) => void (await storage.put(name, new Uint8Array([1, 2, 3]))),
    fileNames: async () => storage.list({ prefix: '' }).objects.map(({ name }) => name),
    dispose: () => backend.dispose(),
  };
});
