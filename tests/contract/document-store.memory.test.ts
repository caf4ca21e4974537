import { createMemoryDocumentStore } from '../support/fakes/memory-document-store.ts';
import { describeDocumentStore } from './document-store.ts';

describeDocumentStore('in memory', async () => {
  const store = createMemoryDocumentStore();
  return { store, other: store, reopen: async () => store, dispose: async () => undefined };
});
