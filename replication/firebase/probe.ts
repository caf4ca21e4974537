import type { FirebaseConfig } from './firebase-config.ts';

/** The kind of server that answers at Firestore's address. */
export type Answerer = 'firestore' | 'something-else' | 'nobody';

const hostedOrigin = 'https://firestore.googleapis.com';

/**
 * Creates a probe of Firestore's address. The SDK reports no answer and a web page as answer with the same code; an
 * owner behind a Wi-Fi sign-in page should be told.
 */
export function createProbe(config: FirebaseConfig): () => Promise<Answerer> {
  const origin = config.serverOrigin ?? hostedOrigin;
  const documents = `projects/${config.projectId}/databases/(default)/documents`;
  return async () => {
    try {
      const answer = await fetch(`${origin}/v1/${documents}/sync/probe`, { cache: 'no-store' });
      const isJson = answer.headers.get('content-type')?.includes('json') === true;
      return isJson ? 'firestore' : 'something-else';
    } catch {
      return 'nobody';
    }
  };
}
