import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { startGoogleServer } from './google-server.ts';
import { writeServiceAccount } from './service-account.ts';

export const projectId = 'demo-pawpals';
const storageBucket = 'demo-pawpals.firebasestorage.app';

/**
 * Starts a local stand-in for a Google project, and sets the environment of deployed functions, so their code has to be
 * loaded afterwards. It stops after all tests of the file.
 */
export async function openGoogleProject(...clock: Parameters<typeof startGoogleServer>) {
  const google = await startGoogleServer(...clock);
  const folder = await mkdtemp(join(tmpdir(), 'pawpals-functions-'));
  const account = join(folder, 'service-account.json');
  await writeServiceAccount(account);
  Object.assign(process.env, {
    GOOGLE_APPLICATION_CREDENTIALS: account,
    FIREBASE_CONFIG: JSON.stringify({ projectId, storageBucket }),
    GCLOUD_PROJECT: projectId,
    FIRESTORE_EMULATOR_HOST: google.host,
    FIREBASE_STORAGE_EMULATOR_HOST: google.host,
    FIREBASE_AUTH_EMULATOR_HOST: google.host,
  });
  afterAll(async () => {
    await google.stop();
    await rm(folder, { recursive: true, force: true });
  });
  return google;
}
