import type { SyncedCollection } from '../../schemas/sync-state.ts';
import type { RemoteDocument } from '../ports.ts';
import { changeDocuments } from './compare-and-set.ts';
import type { SyncContext } from './sync-context.ts';

/** Merges documents of the server into this device's copies. @returns how many copies changed. */
export async function applyRemote(
  { store, rules, serverClock }: Pick<SyncContext, 'store' | 'rules' | 'serverClock'>,
  collection: SyncedCollection,
  remotes: readonly RemoteDocument[],
): Promise<number> {
  const remoteById = new Map(remotes.map((remote) => [remote.id, remote]));
  const target = { collection, ids: [...remoteById.keys()] };
  return changeDocuments(store, target, (stored, id) => {
    const remote = remoteById.get(id);
    return remote ? rules.merge(stored, remote, serverClock.now()) : null;
  });
}
