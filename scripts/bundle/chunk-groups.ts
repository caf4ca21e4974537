import type { Rolldown } from 'vite';

/** Packages have chunks of their own, so that a change of the app's code leaves them in the cache. */
const packages = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
  { name: 'router', test: /node_modules\/@tanstack\/(?!react-query|query-core)/ },
  { name: 'database', test: /node_modules\/(rxdb|rxjs|mingo|event-reduce-js|broadcast-channel)\// },
  { name: 'firebase-auth', test: /node_modules\/@firebase\/auth\// },
  { name: 'firebase-lite', test: /node_modules\/@firebase\/firestore\/dist\/lite\// },
];

/** The phases in which code is loaded, in order, by the folders of the dynamically imported modules. */
const moments: readonly (readonly [name: string, imported: RegExp])[] = [
  [
    'owner',
    /\/src\/(app\/session\/owner-session|routes\/_app(\/pets\/(\$petId\/)?(index|profile|route))?)\./,
  ],
  ['account', /\/src\/routes\/auth\//],
  ['native', /\/(src\/(app\/native\.|platform\/native\/(?!google))|node_modules\/@capacitor\/)/],
  ['voice', /\/src\/features\/voice-notes\//],
  ['sync', /\/(src\/app\/(session|sync)|replication)\/(?!firebase\/bell)/],
  ['screens', /\/src\/routes\/_app\/(account|pets|quick|settings)/],
];

/**
 * Returns the group of a module. If the start of a signed-in owner or the sign-in needs it, it belongs to the first of
 * these. Otherwise it belongs to its only phase, or to the chunk that several later phases share. A module that only
 * one rare import needs has no group.
 *
 * Many small chunks would be larger in total, since each is compressed separately.
 */
function momentOf(id: string, graph: Rolldown.ChunkingContext): string | null {
  const needing = new Set([id]);
  const found = new Set<string>();
  // Iteration over a set includes members that are added meanwhile.
  for (const each of needing) {
    const { importers = [], dynamicImporters = [] } = graph.getModuleInfo(each) ?? {};
    for (const importer of importers) needing.add(importer);
    const moment = moments.find(([, imported]) => imported.test(each))?.[0] ?? each;
    if (dynamicImporters.length > 0) found.add(moment);
  }
  const [only = null, ...others] = found;
  if (found.has('owner')) return found.has('account') ? 'first-view' : 'owner';
  if (found.has('account')) return 'account';
  return others.length > 0 ? 'later' : only;
}

/** An earlier group includes the imports of its modules, so code that is needed sooner comes first. */
const groups = new Set([
  'first-view',
  'owner',
  'account',
  'later',
  ...moments.map(([name]) => name),
]);

export const chunkGroups = [
  ...packages,
  { name: 'start', tags: ['$initial' as const] },
  ...[...groups].map((group) => ({
    debugName: group,
    name: (id: string, graph: Rolldown.ChunkingContext) =>
      momentOf(id, graph) === group ? group : null,
  })),
];

/** The chunks of the first screens, signed in or not. */
export const awaitedChunks = /\/(account|owner|first-view)-/;
