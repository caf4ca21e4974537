import { getApps, initializeApp, type App } from 'firebase-admin/app';
import { initializeFirestore, type Firestore } from 'firebase-admin/firestore';

/** Opens the project that the function runs in, with the rights of its service account. */
export const openAdminApp = (): App => getApps()[0] ?? initializeApp();

/** REST starts faster than gRPC, and suffices here. */
export const openAdminFirestore = (app: App): Firestore =>
  initializeFirestore(app, { preferRest: true });
