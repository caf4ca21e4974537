/// <reference types="vite/client" />
import type { FirebaseEnvironment } from '../../replication/firebase/firebase-config.ts';

declare global {
  interface ImportMetaEnv extends FirebaseEnvironment {
    /** The origin of the app on the web, if its pages come from elsewhere. */
    readonly VITE_APP_ORIGIN?: string;
    /** The address to which owners write for help. */
    readonly VITE_SUPPORT_EMAIL?: string;
  }
}
