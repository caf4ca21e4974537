import { initializeApp, type FirebaseOptions } from 'firebase/app';
import { getToken, initializeAppCheck, ReCaptchaEnterpriseProvider } from 'firebase/app-check';

/** Returns the token that identifies requests of the app; null if none is available now. */
export type AppTokenSource = () => Promise<string | null>;

/**
 * The timeout for a token, which usually takes a second. The SDK waits for ever if the script of reCAPTCHA is blocked.
 */
export const tokenPatienceMs = 10_000;

interface Clock {
  after(delayMs: number, run: () => void): () => void;
}

/**
 * Adds a timeout: a request is rather sent without a token than late, because only the server knows whether it requires
 * one.
 */
export function patientTokens(ask: () => Promise<string>, clock: Clock): AppTokenSource {
  return () =>
    new Promise((resolve) => {
      const stop = clock.after(tokenPatienceMs, () => resolve(null));
      const settle = (token: string | null): void => {
        stop();
        resolve(token);
      };
      ask().then(settle, () => settle(null));
    });
}

/**
 * Opens App Check by reCAPTCHA Enterprise, for the app's own requests. It uses a separate Firebase app, because
 * otherwise the SDK would make every request of Auth and Firestore wait for a token.
 */
export function openAppTokens(
  { apiKey, projectId, appId }: Required<Pick<FirebaseOptions, 'apiKey' | 'projectId' | 'appId'>>,
  siteKey: string,
  clock: Clock,
): AppTokenSource {
  const provider = new ReCaptchaEnterpriseProvider(siteKey);
  const appCheck = initializeAppCheck(initializeApp({ apiKey, projectId, appId }, 'app-check'), {
    provider,
  });
  return patientTokens(async () => (await getToken(appCheck)).token, clock);
}
