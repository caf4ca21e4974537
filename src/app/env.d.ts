/// <reference types="vite/client" />

interface ImportMetaEnv {
  readonly VITE_FIREBASE_API_KEY?: string;
  readonly VITE_FIREBASE_AUTH_DOMAIN?: string;
  readonly VITE_FIREBASE_PROJECT_ID?: string;
  readonly VITE_FIREBASE_STORAGE_BUCKET?: string;
  readonly VITE_FIREBASE_APP_ID?: string;
  /** Where the app is on the web, if its pages come from elsewhere. */
  readonly VITE_APP_ORIGIN?: string;
  /** Where owners write for help. */
  readonly VITE_SUPPORT_EMAIL?: string;
  /** Origin of an emulator or embedded server in place of Google's. */
  readonly VITE_FIREBASE_SERVER_ORIGIN?: string;
}
