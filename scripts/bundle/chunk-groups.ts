import type { Rolldown } from 'vite';

/** Packages have chunks of their own, so that a change of ours does not make owners load them again. */
const packages = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
  { name: 'router', test: /node_modules\/@tanstack\/(?!react-query|query-core)/ },
  { name: 'database', test: /node_modules\/(rxdb|rxjs|mingo|event-reduce-js|broadcast-channel)\// },
  { name: 'firebase-auth', test: /node_modules\/@firebase\/auth\// },
  { name: 'firebase-lite', test: /node_modules\/@firebase\/firestore\/dist\/lite\// },
];

/** The moments in which code is loaded, in order, by the folders of the modules that are imported then. */
const moments: readonly (readonly [name: string, imported: RegExp])[] = [
  [
    'owner',
    /\/src\/(app\/session\/owner-session|routes\/_app(\/pets\/(\$petId\/)?(index|profile|route))?)\./,
  ],
  ['account', /\/src\/routes\/auth\//],
  ['native', /\/(src\/(app\/native\.|platform\/native\/(?!google))|node_modules\/@capacitor\/)/],
  ['voice', /\/src\/features\/voice-notes\//],
  ['sync', /\/(src\/app|replication)\/(?!firebase\/bell)/],
  ['screens', /\/src\/routes\/_app\/(account|pets|quick|settings)/],
];

/**
 * The chunk of a module. It belongs to the first moment that needs it, if that is the start of an owner or of a stranger, and to
 * the only one otherwise; modules of several later moments share a chunk. A module that one rare import needs has no group.
 *
 * Many small chunks would weigh more: each is compressed by itself.
 */
function momentOf(id: string, graph: Rolldown.ChunkingContext): string | null {
  const needing = new Set([id]);
  const found = new Set<string>();
  // A set visits what is added while it is walked through.
  for (const each of needing) {
    const { importers = [], dynamicImporters = [] } = graph.getModuleInfo(each) ?? {};
    for (const importer of importers) needing.add(importer);
    const moment = moments.find(([, imported]) => imported.test(each))?.[0] ?? each;
    if (dynamicImporters.length > 0) found.add(moment);
  }
  const [only, ...others] = found;
  if (found.has('owner')) return found.has('account') ? 'first-view' : 'owner';
  if (found.has('account')) return 'account';
  if (others.length > 0) return 'later';
  return moments.some(([name]) => name === only) ? (only ?? null) : null;
}

/** An earlier group takes along what its modules import, so what is needed sooner comes first. */
const groups = ['first-view', 'owner', 'account', 'later', 'native', 'voice', 'sync', 'screens'];

export const chunkGroups = [
  ...packages,
  { name: 'start', tags: ['$initial' as const] },
  ...groups.map((group) => ({
    debugName: group,
    name: (id: string, graph: Rolldown.ChunkingContext) =>
      momentOf(id, graph) === group ? group : null,
  })),
];

/** The chunks of the first screens of an owner and of a stranger. */
export const awaitedChunks = /\/(account|owner|first-view)-/;
