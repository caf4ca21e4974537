import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AdminAccounts } from '../../backend/src/auth/accounts/accounts.ts';
import type { SeedTarget } from '../../backend/src/server.ts';
import { picturePath } from '../../schemas/local/outbox-job.ts';
import { demoDogs, type DemoDog } from './dogs.ts';
import { entriesOf, recordingType, type DemoEntry } from './entries.ts';
import { createInstants } from './instants.ts';

/** The owner that is created in an empty data folder, as an example. */
export const demoOwner = {
  email: 'demo@pawpals.example',
  password: 'Walkies1!',
  displayName: 'Robin Fielding',
} as const;

const organizations = [
  { tradingName: 'Fenland Gundog Club', memberCount: 42 },
  { tradingName: 'Steady & Soft Training', memberCount: 8 },
  { tradingName: 'The Whistle Field', memberCount: 17 },
];

/**
 * Enables or disables the demo owner of an earlier start. The password is public, so only a server that is limited to
 * this machine enables it. @returns whether there is one that can sign in.
 */
export async function admitDemoOwner(
  accounts: AdminAccounts,
  isAdmitted: boolean,
): Promise<boolean> {
  const found = accounts.findUser(demoOwner.email);
  if (found === null) return false;
  if (found.isDisabled === isAdmitted) await accounts.setDisabled(found.uid, !isAdmitted);
  return isAdmitted;
}

/** Gives each document the next seq of the owner, like sync. */
function createSequence() {
  let seq = 0;
  const sync = () => ({ seq: (seq += 1), deleted: false, edits: {}, updatedAt: new Date() });
  return { sync, head: () => seq };
}

/** Returns the date of birth, which is midnight UTC. */
function birthday({ born }: DemoDog, instant: (when: string) => Date): Date {
  const day = instant(born.when);
  return new Date(Date.UTC(day.getFullYear() - born.yearsEarlier, day.getMonth(), day.getDate()));
}

/**
 * Seeds the demo owner: a year with two dogs, a third one that is new, and three organizations. @param folder the
 * folder with the pictures and recordings: `scripts/demo-owner`.
 */
export async function seedDemoOwner(
  { accounts, firestore, storage }: SeedTarget,
  folder: string,
): Promise<void> {
  const { uid } = await accounts.createUser(demoOwner);
  const { sync, head } = createSequence();
  const instant = createInstants(new Date());

  const upload = async (file: string, objectName: string, contentType: string) =>
    storage.put(objectName, await readFile(join(folder, file)), { contentType });
  const pictureFields = async ({ id, picture }: DemoDog) => {
    if (picture === null) return {};
    const profilePicturePath = picturePath(id, 'jpg');
    const { md5Hash } = await upload(picture, profilePicturePath, 'image/jpeg');
    return { profilePicturePath, profilePictureVersion: md5Hash };
  };
  const petWrite = async (dog: DemoDog) => {
    const { id, name, breed, description } = dog;
    const data = { ownerId: uid, name, breed, description, dob: birthday(dog, instant) };
    const picture = await pictureFields(dog);
    return { set: `pets/${id}`, data: { ...data, ...picture, ...sync() } };
  };
  const entryWrite = async (petId: string, entry: DemoEntry) => {
    const { id, createdDate, content, recording } = entry;
    if (recording !== null) await upload(recording.file, recording.objectName, recordingType);
    const data = { createdBy: uid, createdDate, ...content, ...sync() };
    return { set: `pets/${petId}/journalEntries/${id}`, data };
  };

  const writes = [];
  for (const dog of demoDogs) writes.push(await petWrite(dog));
  for (const dog of demoDogs) {
    for (const entry of entriesOf(dog, instant)) writes.push(await entryWrite(dog.id, entry));
  }
  await firestore.commit([
    ...writes,
    ...organizations.map((data, index) => ({ set: `organizations/demo-${index}`, data })),
    { set: `sync/${uid}`, data: { head: head(), epoch: crypto.randomUUID() } },
  ]);
}
