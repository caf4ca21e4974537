import type { PawPalsDatabase } from '../rxdb/database.ts';
import { createFileStore } from '../rxdb/rx-file-store.ts';
import { createRxDocumentStore } from '../rxdb/rx-document-store.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import type { OutboxDeps } from './outbox-deps.ts';

/** Opens the outbox in an owner's open database. */
export function openOutbox(
  database: PawPalsDatabase,
  deps: Omit<OutboxDeps, 'store' | 'files'>,
): Outbox {
  const store = createRxDocumentStore(database);
  return createOutbox({ ...deps, store, files: createFileStore(database) });
}
