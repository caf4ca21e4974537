import { randomUUID } from 'node:crypto';
import type { AdminFirestore } from '../../backend/src/firestore/admin-firestore.ts';

const pageSize = 500;

/**
 * Gives the `sync` document of each owner another epoch after a restore, so that every device reads everything again and
 * sends what the backup lacks (replication/SPEC.md). It may be interrupted and repeated at any point.
 */
export async function renewEpochs(
  firestore: Pick<AdminFirestore, 'find' | 'commit'>,
): Promise<void> {
  const epoch = randomUUID();
  const query = { collection: 'sync', limit: pageSize };
  let page = await firestore.find(query);
  for (;;) {
    const last = page.at(-1);
    if (last === undefined) return;
    const owners = page.filter(({ data }) => !('closed' in data));
    await firestore.commit(owners.map(({ path }) => ({ merge: path, data: { epoch } })));
    page = await firestore.find({ ...query, after: last.path });
  }
}
