import { applicationDefault, type Credential } from 'firebase-admin/app';

let credential: Credential | null = null;

/**
 * Returns a token for Google's services, with the credentials of the platform: the function's account, or the one that
 * the environment names. The SDK caches it until it expires.
 */
export async function googleToken(): Promise<string> {
  credential ??= applicationDefault();
  return (await credential.getAccessToken()).access_token;
}
