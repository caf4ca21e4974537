import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { openRulesFile, type RulesFile } from './rules-file.ts';

export interface Rules {
  readonly firestore: RulesFile;
  readonly storage: RulesFile;
  stop(): void;
}

interface RulesFiles {
  readonly firestoreRules?: string | undefined;
  readonly storageRules?: string | undefined;
}

/** The rules of both services. */
export async function openRules(
  { firestoreRules, storageRules }: RulesFiles,
  deps: { readonly clock: Clock; readonly log: Log },
): Promise<Rules> {
  const firestore = await openRulesFile({
    ...deps,
    file: firestoreRules,
    service: 'cloud.firestore',
  });
  const storage = await openRulesFile({
    ...deps,
    file: storageRules,
    service: 'firebase.storage',
  }).catch((error: unknown) => {
    firestore.stop();
    throw error;
  });
  return {
    firestore,
    storage,
    stop() {
      firestore.stop();
      storage.stop();
    },
  };
}
