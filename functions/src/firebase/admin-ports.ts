import { getApps, initializeApp } from 'firebase-admin/app';
import { initializeFirestore } from 'firebase-admin/firestore';
import { getStorage } from 'firebase-admin/storage';
import type { CleanupPorts } from '../account-cleanup/ports.ts';
import { createAdminDocuments } from './admin-documents.ts';
import { createAdminFiles } from './admin-files.ts';

/** The project that the function runs in, with the rights of its service account. */
export function openAdminPorts(): CleanupPorts {
  const app = getApps()[0] ?? initializeApp();
  // REST starts faster than gRPC, and does all that is needed here.
  const firestore = initializeFirestore(app, { preferRest: true });
  return {
    documents: createAdminDocuments(firestore),
    files: createAdminFiles(getStorage(app).bucket()),
  };
}
