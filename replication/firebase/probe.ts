import type { FirebaseConfig } from './firebase-config.ts';

/** What is at the other end of the connection. */
export type Answerer = 'firestore' | 'something-else' | 'nobody';

const hostedOrigin = 'https://firestore.googleapis.com';

/**
 * Asks Firestore's address for anything at all. The SDK reports a connection without an answer and an answer that is a web
 * page with one and the same code; an owner behind a Wi-Fi sign-in page should be told.
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
