import { createMemoryDocumentStore } from '../support/fakes/memory-document-store.ts';
import { describeFileStore } from './file-store.ts';

describeFileStore('in memory', async () => {
  const store = createMemoryDocumentStore();
  return { store, files: store.files, dispose: async () => undefined };
});
