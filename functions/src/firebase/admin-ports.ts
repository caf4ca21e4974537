import { getStorage } from 'firebase-admin/storage';
import type { CleanupPorts } from '../account-cleanup/ports.ts';
import { openAdminApp, openAdminFirestore } from './admin-app.ts';
import { createAdminDocuments } from './admin-documents.ts';
import { createAdminFiles } from './admin-files.ts';

export function openAdminPorts(): CleanupPorts {
  const app = openAdminApp();
  return {
    documents: createAdminDocuments(openAdminFirestore(app)),
    files: createAdminFiles(getStorage(app).bucket()),
  };
}
