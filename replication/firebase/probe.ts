import type { FirebaseConfig } from './firebase-config.ts';

const hostedOrigin = 'https://firestore.googleapis.com';

/**
 * Creates a probe of Firestore's address, which resolves to whether something else answers there. The SDK reports no
 * answer and a web page as answer with the same code; an owner behind a Wi-Fi sign-in page should be told.
 */
export function createProbe(config: FirebaseConfig): () => Promise<boolean> {
  const origin = config.serverOrigin ?? hostedOrigin;
  const documents = `projects/${config.projectId}/databases/(default)/documents`;
  return async () => {
    try {
      const answer = await fetch(`${origin}/v1/${documents}/sync/probe`, { cache: 'no-store' });
      return answer.headers.get('content-type')?.includes('json') !== true;
    } catch {
      return false;
    }
  };
}
