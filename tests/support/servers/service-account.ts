import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';

/** Writes the key of an invented service account: firebase-admin signs with it without a network. */
export async function writeServiceAccount(file: string): Promise<void> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const account = {
    type: 'service_account',
    project_id: 'demo-pawpals',
    client_email: 'functions@demo-pawpals.example',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  };
  await writeFile(file, JSON.stringify(account), { mode: 0o600 });
}
