import type { FirebaseApp } from 'firebase/app';
import { getToken, initializeAppCheck, ReCaptchaEnterpriseProvider } from 'firebase/app-check';

/** @returns the token that tells requests of the app from others; null if none can be had now. */
export type AppTokenSource = () => Promise<string | null>;

/**
 * App Check, by reCAPTCHA Enterprise. The SDK adds the token to what Auth and Firestore send; our own requests ask for it.
 * A request without one is sent all the same: only the server knows whether it insists.
 */
export function startAppCheck(app: FirebaseApp, siteKey: string): AppTokenSource {
  const provider = new ReCaptchaEnterpriseProvider(siteKey);
  const appCheck = initializeAppCheck(app, { provider, isTokenAutoRefreshEnabled: true });
  return async () => {
    try {
      return (await getToken(appCheck)).token;
    } catch {
      return null;
    }
  };
}
