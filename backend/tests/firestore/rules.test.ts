import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { firestoreRules } from '../support/rules-kit.ts';
import { importBrowserSdk, type BrowserSdk } from '../support/clients/sdk-bundle.ts';
import { sdkUser } from '../support/clients/sdk-user.ts';
import { spawnBackend } from '../support/servers/backend-process.ts';
import { startBackend } from '../support/servers/start-backend.ts';
import { tempFolder } from '../support/temp-folder.ts';

let sdk: BrowserSdk;
beforeAll(async () => {
  sdk = await importBrowserSdk();
  sdk.setLogLevel('silent');
});

const reading = (pets: string, notes: string) =>
  firestoreRules(`match /databases/{database}/documents {
    match /pets/{id} { allow read: if ${pets}; }
    match /notes/{id} { allow read: if ${notes}; allow write; }
  }`);

it('without a rules file clients may do nothing', async () => {
  const backend = await startBackend({ firestoreRules: undefined });
  const { db } = await sdkUser(sdk, backend.port);
  const denied = { code: 'permission-denied' };
  await expect(sdk.getDoc(sdk.doc(db, 'pets', 'a'))).rejects.toMatchObject(denied);
  await expect(sdk.setDoc(sdk.doc(db, 'pets', 'a'), {})).rejects.toMatchObject(denied);
});

it('a broken file at the start is one sentence, with its place', async () => {
  const folder = await tempFolder();
  const file = join(folder, 'firestore.rules');
  await writeFile(file, reading('true', 'nobody'));
  const dataDir = join(folder, 'data');
  const { exit, output } = spawnBackend(['--data', dataDir, '--firestore-rules', file]);
  expect(await exit).toBe(1);
  expect(output.stderr).toBe(`${file}:5:40: There is no variable "nobody" here.\n`);
});
