/**
 * Which folder may import which. The folders are the architecture: dependencies point one way, and nothing but what
 * a line names is allowed. ARCHITECTURE.md has the same table with the reasons.
 */
const packages = (...names) => names.map((name) => `node_modules/${name}/`);
const folders = (...names) => names.map((name) => `^${name}/`);

/** @param from a folder; @param may everything it may import, as patterns of resolved paths. */
const only = (name, from, may) => ({
  name,
  severity: 'error',
  from: { path: from, pathNot: '\\.test\\.tsx?$' },
  to: { pathNot: [from.replaceAll('\\$1', ''), ...may] },
});

const firebaseData = ['firestore', 'storage'].flatMap((part) => [
  `node_modules/firebase/(dist/)?${part}/`,
  `node_modules/@firebase/${part}/`,
]);

module.exports = {
  forbidden: [
    only('schemas-only-valibot', '^schemas/', packages('valibot')),
    only('store', '^store/', [
      ...folders('schemas'),
      ...packages('rxdb', 'rxjs', 'dexie', '@noble/hashes'),
    ]),
    only('replication', '^replication/', [
      ...folders('schemas', 'store'),
      ...packages('valibot', 'firebase', '@firebase'),
    ]),
    only('src-lib', '^src/lib/', packages('react', 'react-dom', 'radix-ui', 'jotai', '@types')),
    only('src-ui', '^src/ui/', [
      ...folders('src/lib'),
      ...packages(
        'react',
        'react-dom',
        'radix-ui',
        'jotai',
        'lucide-react',
        '@tanstack/react-router',
        '@types',
      ),
    ]),
    only('src-platform', '^src/platform/', [
      ...folders('src/lib', 'schemas'),
      ...packages('react', 'jotai', 'valibot', 'firebase', '@firebase'),
      ...packages('@capacitor', '@capacitor-firebase'),
    ]),
    only('src-data', '^src/data/', [
      ...folders('schemas', 'store', 'src/lib'),
      ...packages('rxdb', 'valibot', '@tanstack/react-query'),
    ]),
    only('src-search', '^src/search/', [
      ...folders('schemas', 'store', 'src/lib', 'src/data'),
      ...packages('minisearch', 'comlink', 'valibot'),
    ]),
    only('src-features', '^src/features/', [
      ...folders('src/ui', 'src/lib', 'src/data', 'src/platform', 'schemas'),
      ...packages(
        'react',
        'react-dom',
        'radix-ui',
        'jotai',
        'lucide-react',
        'valibot',
        '@tanstack',
        '@types',
      ),
    ]),
    {
      name: 'features-apart',
      comment: 'Features meet in a route, never in each other.',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/' },
      to: { path: '^src/features/', pathNot: '^src/features/$1/' },
    },
    only('src-routes', '^src/routes/', [
      ...folders('src/features', 'src/ui', 'src/lib'),
      ...packages('react', 'jotai', '@tanstack/react-router', 'lucide-react', '@types'),
    ]),
    {
      name: 'src-app-not-servers',
      severity: 'error',
      from: { path: '^src/(app/|main)', pathNot: '\\.test\\.tsx?$' },
      to: { path: folders('functions', 'backend', 'sw', 'tests', 'scripts') },
    },
    only('sw', '^sw/', [
      ...folders('schemas', 'store', 'replication'),
      ...packages('workbox-[a-z]+'),
    ]),
    {
      name: 'sw-without-bell',
      severity: 'error',
      from: { path: '^sw/' },
      to: { path: '^replication/firebase/bell', reachable: true },
    },
    only('functions', '^functions/src/', [
      ...folders('schemas'),
      ...packages('firebase-admin', 'firebase-functions', 'valibot'),
      // Engines on the machine itself are commands, and work on files.
      '^(node:)?(child_process|fs|fs/promises|os|path)$',
    ]),
    {
      name: 'functions-cores-are-pure',
      comment:
        'A core runs in the embedded backend as well; what only Google has lies in src/firebase and src/index.ts.',
      severity: 'error',
      from: { path: '^functions/src/', pathNot: '^functions/src/(firebase/|index\\.ts$)' },
      to: {
        path: [...packages('firebase-admin', 'firebase-functions'), '^functions/src/firebase/'],
      },
    },
    {
      name: 'backend-is-a-stranger',
      severity: 'error',
      from: { path: '^backend/' },
      to: { path: folders('schemas', 'store', 'replication', 'src', 'sw', 'functions') },
    },
    {
      name: 'firestore-in-one-folder',
      severity: 'error',
      from: { path: '^(schemas|store|replication|src|sw)/', pathNot: '^replication/firebase/' },
      to: { path: firebaseData },
    },
    {
      name: 'dexie-raises-only',
      comment: 'It makes and raises databases; its code is no part of a start, nor of the worker.',
      severity: 'error',
      from: {
        path: '^(schemas|store|src|sw|replication)/',
        pathNot: '^store/indexeddb/(raise-stores|layout)\\.ts$|\\.test\\.ts$',
      },
      to: { path: packages('dexie') },
    },
    {
      name: 'icons-one-by-one',
      comment: 'A chunk that imports the index of all icons has the icons of every other chunk.',
      severity: 'error',
      from: { path: '^src/' },
      to: {
        path: 'node_modules/lucide-react/dist/(esm/)?lucide-react\\.',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'not-resolved',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^virtual:' },
    },
  ],
  options: {
    // The bundles in .cache import packages that are installed on request only.
    doNotFollow: { path: ['node_modules', '^[.]cache/'] },
    exclude: { path: ['^dist/', '^functions/dist/', '^dev-dist/', 'routeTree\\.gen\\.ts$'] },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
    },
  },
};
