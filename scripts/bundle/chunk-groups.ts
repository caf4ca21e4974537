import type { Rolldown } from 'vite';
import { phaseOf, type Phase } from './phase-of.ts';

/** Packages have chunks of their own, so that a change of the app's code leaves them in the cache. */
const packages = [
  { name: 'firebase-auth', test: /node_modules\/@firebase\/auth\// },
  { name: 'firebase-lite', test: /node_modules\/@firebase\/firestore\/dist\/lite\// },
];

/** Many small chunks would be larger in total, since each is compressed separately. */
const phases: readonly Phase[] = [
  ['owner', /\/src\/(app\/session|routes\/_app(\/pets(\/\$petId)?)?)\/[^/]+$/],
  ['account', /\/src\/routes\/auth\//],
  ['later', /\/src\/app\/start-background-tasks\.ts$/],
  ['identity', /\/src\/platform\/auth\/(firebase-auth|google-sign-in)\.ts$/],
  ['native', /\/(src\/(app|platform)\/native|node_modules\/@capacitor)\//],
  ['extras', /\/src\/(features\/journal\/feed|routes)\/[^/]+\.lazy/],
  ['dialogs', /\/src\/features\/(account\/menu|shell|sync-status)\/(?!route-error)[^/]+\.lazy/],
  ['dialogs', /\/src\/features\/journal\/(calendar|composer|note)\/[^/]+\.lazy/],
  ['dialogs', /\/src\/features\/toasts\/[^/]+\.lazy/],
  ['dialogs', /\/src\/data\/(queries|commands)\/rx-(entry-days|repairs)\./],
  ['extras', /\/src\/features\/voice-notes\//],
  ['sync', /\/(src\/app\/(services|sync)|replication\/firebase)\/[^/]+$/],
  ['screens', /\/src\/routes\/(_app\/|privacy)/],
];

const phaseNames = phases.map(([name]) => name);
/** Each group includes the imports of its modules, so code that is needed sooner comes first. */
const groups = new Set(['start', 'owner', 'account', 'later', ...phaseNames]);

export const chunkGroups = [
  ...packages,
  ...[...groups].map((group) => ({
    debugName: group,
    name: (id: string, graph: Rolldown.ChunkingContext) =>
      phaseOf(id, graph, phases) === group ? group : null,
  })),
];
