import { applicationDefault, type Credential } from 'firebase-admin/app';

let credential: Credential | null = null;

/**
 * For Google's services, with the credentials of the platform: the function's account, or what the environment names. It
 * is kept by the SDK until it runs out.
 */
export async function googleToken(): Promise<string> {
  credential ??= applicationDefault();
  return (await credential.getAccessToken()).access_token;
}
