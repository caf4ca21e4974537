/// <reference types="vite/client" />
import type { FirebaseEnvironment } from '../../replication/firebase/firebase-config.ts';

declare global {
  interface ImportMetaEnv extends FirebaseEnvironment {
    /** Where the app is on the web, if its pages come from elsewhere. */
    readonly VITE_APP_ORIGIN?: string;
    /** Where owners write for help. */
    readonly VITE_SUPPORT_EMAIL?: string;
  }
}
