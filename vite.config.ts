import tailwindcss from '@tailwindcss/vite';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { chunkImports } from './scripts/chunk-imports.ts';
import { appManifest } from './app-manifest.ts';

/**
 * Vendor code lies in chunks of its own, so that a change of ours does not make owners load it again. What the first
 * signed-in view needs and what comes later must not share a chunk.
 */
const vendorGroups = [
  { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
  { name: 'router', test: /node_modules[\\/]@tanstack[\\/]/ },
  {
    name: 'database',
    test: /node_modules[\\/](rxdb|rxjs|dexie|mingo|event-reduce-js|array-push-at-sort-position|broadcast-channel|custom-idle-queue|oblivious-set|unload)[\\/]/,
  },
  { name: 'firebase-auth', test: /node_modules[\\/]@firebase[\\/]auth[\\/]/ },
  {
    name: 'firebase-lite',
    test: /node_modules[\\/]@firebase[\\/]firestore[\\/]dist[\\/]lite[\\/]/,
  },
  {
    name: 'firebase-app',
    test: /node_modules[\\/](@firebase[\\/](app|component|logger|util)|idb)[\\/]/,
  },
];

/**
 * Small modules that the first signed-in view and many others share: each in a chunk of its own would cost more than it
 * holds. What only later screens need must not be in the list.
 */
const firstViewParts = [
  'node_modules/lucide-react/dist/esm/(?!icons)',
  'node_modules/lucide-react/dist/esm/icons/(arrow-left|cloud-|menu|plus|refresh-cw|triangle-alert)',
  'schemas/(entry-kinds|feed-key|limits|local-record|messages|outbox-job)\\.',
  'src/data/(commands|data-context|sync-problem|use-fetched-once)\\.',
  'src/features/account/(menu-button|signed-in-gate)\\.',
  'src/features/journal/(entry-(content|mark|state|time)|journal-places)\\.',
  'src/features/shell/(?!route-error)',
  'src/features/pets/(dog-rail|pet-facts|pet-picture|unknown-pet|use-pets)\\.',
  'src/features/sync-status/(status-words|sync-status)\\.',
  'src/lib/(age-text|calendar-date|class-names|count-text|document-title|draft|entry-time-text|first-value|header-state|lazy-live|lazy-part|live|load-chunk|now|stable-number)\\.',
  'src/platform/(auth|install-offer|installed|native-platform|new-id|online-signal|page-visibility)\\.',
  'src/routes/_app(\\.tsx|/pets/\\$petId/route\\.tsx)\\?tsr-split',
  'src/ui/(app-frame|app-skeleton|button|button-style|empty-state|icon-button|initial-picture|not-fetched-yet|problem-note|save-button|skeleton)\\.',
];

const firstViewGroup = {
  name: 'first-view',
  test: new RegExp(`/(${firstViewParts.join('|')})`),
};

/** RxJS ships classes of today under the first name, and ES5 with helpers otherwise. */
const conditions = ['es2015', ...defaultClientConditions];
/** What most later screens share: apart, each would cost more than it holds. The first view has none of it. */
const laterParts = [
  'node_modules/lucide-react/dist/esm/icons/(chevron-right|circle-check|download|life-buoy|log-out|share|square-plus)\\.',
  'schemas/(file-messages|journal-entry|pet|pet-edit|recording-messages|shared-item|sync-state|voice-note)\\.',
  'src/data/(file-words|voice-words)\\.',
  'src/features/account/(email-field|install-entry|install-steps|keep-signed-in|sign-out-dialog|use-sign-out|use-sync-now|use-unsent|new-password-fields|unsent-work|use-account-request|use-form-fields|use-show-login|user-name)\\.',
  'src/features/pets/(choose-dog-page|shared-photo|use-kept|with-pet)\\.',
  'src/lib/(download-file|download-json|link-path|short-text|use-action|use-save-once|use-save-signal)\\.',
  'src/platform/(camera|haptics|support-mailbox)\\.',
  'src/ui/(check-box|coming-soon|form-page|modal|password-field|success-note|text-area-field|text-field)\\.',
];

/** What the list of dogs and their menus share. */
const dogActions = {
  name: 'dog-actions',
  test: /\/(icons\/(image-plus|paw-print|pencil|trash)|features\/pets\/pet-actions|lib\/action-sheet)\./,
};

const laterGroup = { name: 'later-screens', test: new RegExp(`/(${laterParts.join('|')})`) };

/** Of the first screens of an owner and of a stranger. */
const awaitedChunks = /\/(login|owner-session|pets|profile)-/;

export default defineConfig({
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      quoteStyle: 'single',
      semicolons: true,
    }),
    react(),
    chunkImports(import.meta.dirname),
    tailwindcss(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'sw',
      filename: 'sw.ts',
      injectRegister: false,
      injectManifest: {
        globPatterns: ['**/*.{html,js,css,woff2}'],
        // The bell is for a connection only; precaching it would cost an offline owner 130 kB. So is Google's sign-in. The
        // native wrapper has no worker.
        globIgnores: ['bell', 'google-sign-in', 'gapi-stub', 'native', 'web'].map(
          (name) => `static/js/${name}-*.js`,
        ),
        // Their names have a hash of their own.
        dontCacheBustURLsMatching: /^static\//,
      },
      integration: {
        // The plugin asks for one file by a deprecated name, and tells of it at every start.
        configureCustomSWViteBuild: (config) => {
          config.logLevel = 'warn';
          config.resolve = { ...config.resolve, conditions };
          config.build = {
            ...config.build,
            rolldownOptions: {
              ...config.build?.rollupOptions,
              output: { entryFileNames: 'sw.mjs', codeSplitting: false },
            },
            rollupOptions: undefined,
          };
        },
      },
      manifest: appManifest,
      // The system keeps those of an installed app; no page shows them.
      includeManifestIcons: false,
    }),
  ],
  resolve: { conditions },
  build: {
    target: 'es2022',
    sourcemap: false,
    modulePreload: {
      // A browser without modulepreload loads the same a little later.
      polyfill: false,
      // The lists of what each chunk needs weigh more than they bring, but for what a first visit waits for: the rest is
      // loaded when idle, and kept.
      resolveDependencies: (chunk, needed, { hostType }) =>
        hostType === 'html' || awaitedChunks.test(chunk) ? needed : [],
    },
    rolldownOptions: {
      output: {
        entryFileNames: 'static/js/[name]-[hash].js',
        chunkFileNames: 'static/js/[name]-[hash].js',
        assetFileNames: 'static/assets/[name]-[hash][extname]',
        codeSplitting: { groups: [...vendorGroups, firstViewGroup, dogActions, laterGroup] },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      [
        '/identitytoolkit.googleapis.com',
        '/securetoken.googleapis.com',
        '/google.firestore.v1.Firestore',
        '/v1',
        '/emulator',
        '/__',
        '/api',
      ].map((path) => [path, `http://localhost:${process.env['PAWPALS_BACKEND_PORT'] ?? '4174'}`]),
    ),
  },
});
