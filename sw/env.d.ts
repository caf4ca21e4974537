import type { FirebaseEnvironment } from '../replication/firebase/firebase-config.ts';

declare global {
  interface BuildEnvironment extends FirebaseEnvironment {
    /** Where the app is on the web, if its pages come from elsewhere. */
    readonly VITE_APP_ORIGIN?: string;
  }

  /** Written in by the build. */
  interface ImportMeta {
    readonly env: BuildEnvironment;
  }
}
