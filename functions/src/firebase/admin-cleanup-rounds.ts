import * as v from 'valibot';
import type { CleanupRound, CleanupRounds } from '../file-cleanup/clean-up-in-rounds.ts';
import { openAdminApp, openAdminFirestore } from './admin-app.ts';

const roundSchema = v.object({
  startedMs: v.number(),
  after: v.nullable(v.string()),
  isDone: v.boolean(),
}) satisfies v.GenericSchema<unknown, CleanupRound>;

/** Stores the round in a document that the rules let no client read. Deleting it begins a new round. */
export function openAdminCleanupRounds(): CleanupRounds {
  const document = openAdminFirestore(openAdminApp()).doc('maintenance/fileCleanup');
  return {
    async read() {
      const stored = v.safeParse(roundSchema, (await document.get()).data());
      return stored.success ? stored.output : null;
    },
    async write(round) {
      await document.set({ ...round });
    },
  };
}
