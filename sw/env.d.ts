import type { FirebaseEnvironment } from '../replication/firebase/firebase-config.ts';

declare global {
  interface BuildEnvironment extends FirebaseEnvironment {
    /** The app's web origin, if its pages come from elsewhere. */
    readonly VITE_APP_ORIGIN?: string;
  }

  /** Injected by the build. */
  interface ImportMeta {
    readonly env: BuildEnvironment;
  }
}
