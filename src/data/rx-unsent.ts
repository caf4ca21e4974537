import type { Collections } from './collections.ts';
import type { UnsentWork } from './queries.ts';

/** Reads everything that is on this device alone. */
export async function readUnsent(collections: Collections): Promise<UnsentWork> {
  const selector = { pending: { $gt: 0 } };
  const [pets, entries, losers] = await Promise.all([
    collections.pets.find({ selector }).exec(),
    collections.journal_entries.find({ selector }).exec(),
    collections.local.find({ selector: { kind: 'loser' } }).exec(),
  ]);
  return {
    pets: pets.map((pet) => pet.toMutableJSON()),
    entries: entries.map((entry) => entry.toMutableJSON()),
    otherVersions: losers.flatMap((loser) => {
      const { id, data } = loser.toMutableJSON();
      return data.kind === 'loser' ? [{ ...data, id }] : [];
    }),
  };
}
