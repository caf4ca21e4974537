import { initializeApp, type FirebaseOptions } from 'firebase/app';
import { getToken, initializeAppCheck, ReCaptchaEnterpriseProvider } from 'firebase/app-check';

/** @returns the token that tells requests of the app from others; null if none can be had now. */
export type AppTokenSource = () => Promise<string | null>;

/** A token takes a second; where the script of reCAPTCHA is blocked, the SDK waits for it for ever. */
export const tokenPatienceMs = 10_000;

interface Clock {
  after(delayMs: number, run: () => void): () => void;
}

/** A request is sent without a token rather than late: only the server knows whether it insists. */
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
 * App Check by reCAPTCHA Enterprise, for requests of our own. It belongs to a Firebase app of its own: the SDK would have
 * every request of Auth and Firestore wait for a token.
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
