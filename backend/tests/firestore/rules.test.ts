import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { createManualClock } from '../support/fakes/manual-clock.ts';
import { firestoreRules } from '../support/rules-kit.ts';
import { importBrowserSdk, type BrowserSdk } from '../support/clients/sdk-bundle.ts';
import { sdkUser } from '../support/clients/sdk-user.ts';
import { spawnBackend } from '../support/servers/backend-process.ts';
import { startBackend } from '../support/servers/start-backend.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { watch } from '../support/watch.ts';

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

it('listeners that lose their right by other rules end, the others go on', async () => {
  const file = join(await tempFolder(), 'firestore.rules');
  await writeFile(file, reading('true', 'true'));
  const clock = createManualClock(Date.now());
  const backend = await startBackend({ firestoreRules: file, clock });
  await backend.firestore.commit([
    { set: 'pets/rex', data: { n: 1 } },
    { set: 'notes/1', data: { n: 1 } },
  ]);
  const user = await sdkUser(sdk, backend.port);
  const pet = watch(sdk, user, 'pets/rex');
  const note = watch(sdk, user, 'notes/1');
  const ended: string[] = [];
  const sizes: number[] = [];
  sdk.onSnapshot(
    sdk.collection(user.db, 'pets'),
    ({ size }) => sizes.push(size),
    ({ code }) => ended.push(code),
  );
  await pet.shows({ n: 1 });
  await note.shows({ n: 1 });
  await eventually(() => expect(sizes).toEqual([1]));

  await writeFile(file, reading('false', 'true'));
  clock.advance(1000);
  await eventually(() => expect(pet.errors).toEqual(['permission-denied']));
  await eventually(() => expect(ended).toEqual(['permission-denied']));
  await sdk.setDoc(sdk.doc(user.db, 'notes', '1'), { n: 2 });
  await note.shows({ n: 2 });
  expect(note.errors).toEqual([]);

  await writeFile(file, reading('true', 'true'));
  clock.advance(1000);
  await eventually(async () => {
    expect((await sdk.getDoc(sdk.doc(user.db, 'pets', 'rex'))).data()).toEqual({ n: 1 });
  });
});

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
