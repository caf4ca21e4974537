import { createOutbox } from '../../../store/files/outbox.ts';
import { createOwnerSync } from '../../../replication/owner-sync.ts';
import { createStorageFiles } from '../../../replication/firebase/storage-files.ts';
import { openDatabase } from '../../../store/rxdb/database.ts';
import { openOwnerSession } from '../../../src/app/session/owner-session.ts';

/** All code by which the app stores and syncs, without Auth and the bell. */
export const code = [
  openOwnerSession,
  openDatabase,
  createOutbox,
  createOwnerSync,
  createStorageFiles,
];
