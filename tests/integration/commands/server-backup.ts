import type { PlainData } from '../../../backend/src/firestore/values/plain-data.ts';
import type { Backend } from '../../../backend/src/server.ts';
import { renewEpochs } from '../../../scripts/serve/renew-epochs.ts';

/** An owner's documents on the server at one moment, by path, without their files. */
export type ServerBackup = ReadonlyMap<string, PlainData>;

/** The treatment of `sync/{uid}` in a restore (replication/SPEC.md): an operator deletes it, or the server renews its epoch. */
export type RestoreHow = 'headless' | 'new-epoch';

type Firestore = Backend['firestore'];

const allOfThem = 10_000;

export async function backUp(firestore: Firestore, uid: string): Promise<ServerBackup> {
  const limit = allOfThem;
  const pets = await firestore.find({
    collection: 'pets',
    equals: { field: 'ownerId', value: uid },
    limit,
  });
  const entries = await firestore.find({
    collection: 'journalEntries',
    isGroup: true,
    equals: { field: 'createdBy', value: uid },
    limit,
  });
  return new Map([...pets, ...entries].map(({ path, data }) => [path, data]));
}

/** Restores the documents of the backup, and removes later ones. */
export async function restore(
  firestore: Firestore,
  uid: string,
  { backup, how }: { readonly backup: ServerBackup; readonly how: RestoreHow },
): Promise<void> {
  const later = [...(await backUp(firestore, uid)).keys()].filter((path) => !backup.has(path));
  await firestore.commit([
    ...[...backup].map(([set, data]) => ({ set, data })),
    ...later.map((path) => ({ delete: path })),
  ]);
  const headPath = `sync/${uid}`;
  const head = firestore.get(headPath);
  if (head === null) return;
  if (how === 'headless') await firestore.commit([{ delete: headPath }]);
  else await renewEpochs(firestore);
}
