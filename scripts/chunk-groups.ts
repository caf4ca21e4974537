/**
 * Which code lies in a chunk together. A module goes to the first group that names it, and takes along what it imports
 * and no earlier group has; so what is needed sooner comes first. What no group gets is in a chunk of its own.
 *
 * Many small chunks would weigh more: each is compressed by itself.
 */

/**
 * Vendor code lies in chunks of its own, so that a change of ours does not make owners load it again. What the first
 * signed-in view needs and what comes later must not share a chunk.
 */
const vendorGroups = [
  { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
  { name: 'router', test: /node_modules[\\/]@tanstack[\\/](?!react-query|query-core)/ },
  {
    name: 'database',
    test: /node_modules[\\/](rxdb|rxjs|mingo|event-reduce-js|array-push-at-sort-position|broadcast-channel|custom-idle-queue|oblivious-set|unload)[\\/]/,
  },
  {
    name: 'firebase-auth',
    test: /node_modules[\\/]@firebase[\\/]auth[\\/]|[\\/]replication[\\/]firebase[\\/]config\./,
  },
  {
    name: 'firebase-lite',
    test: /node_modules[\\/]@firebase[\\/]firestore[\\/]dist[\\/]lite[\\/]/,
  },
];

/**
 * Small modules that the first signed-in view and many others share: each in a chunk of its own would cost more than it
 * holds. What only later screens need must not be in the list.
 */
const firstViewParts = [
  'node_modules/lucide-react/dist/esm/(?!icons)',
  'node_modules/lucide-react/dist/esm/icons/(arrow-left|cloud-|menu|plus|refresh-cw|search|triangle-alert)',
  'schemas/(entry-kinds|feed-key|limits|local-record|messages|outbox-job|recording-messages)\\.',
  'src/data/(commands|data-context|sync-problem|use-fetched-once)\\.',
  'src/features/account/(menu-button|signed-in-gate)\\.',
  'src/features/journal/(entry-(content|mark|state|time)|journal-address|journal-places)\\.',
  'src/features/search/search-link\\.',
  'src/features/shell/(?!route-error|shortcuts-dialog)',
  'src/features/pets/(pet-facts|pet-picture|unknown-pet|use-pets)\\.',
  'src/features/sync-status/(status-words|sync-status)\\.',
  'src/features/voice-notes/(awaited-recorder|hold-gesture|record-button|recorder-state)\\.',
  'src/lib/(age-text|calendar-date|class-names|column-count|compare-names|count-text|document-title|draft|entry-time-text|first-value|header-state|lazy-live|lazy-part|live|load-chunk|now|rising-clock|shortcuts-state|stable-number)\\.',
  'src/platform/(auth|connection|device-choice|dismissed-hints|install-offer|installed|native-platform|new-id|page-visibility)\\.',
  'src/routes/_app\\.tsx\\?tsr-split',
  'src/ui/(app-frame|app-skeleton|button|button-style|empty-state|icon-button|initial-picture|not-fetched-yet|problem-note|save-button|skeleton)\\.',
];

const firstViewGroup = {
  name: 'first-view',
  test: new RegExp(`/(${firstViewParts.join('|')})`),
};

/** What is there before any screen, and must not lie with what comes later. */
const startGroup = { name: 'start', tags: ['$initial' as const] };

/** An owner's data, as far as a screen reads it. */
const ownerGroup = {
  name: 'owner-session',
  test: /\/src\/(app\/owner-session|data\/rx-queries)\./,
};

/** Makes and raises an owner's database, which no other start does. */
const raiseGroup = { name: 'raise-stores', test: /\/(node_modules\/dexie|store\/raise-stores\.)/ };

/** What a stranger sees. */
const accountGroup = { name: 'account', test: /\/src\/routes\/auth\/.*\?tsr-split/ };

/** What most later screens share, and the first view has none of. */
const laterParts = [
  'node_modules/lucide-react/dist/esm/icons/(chevron-right|download|life-buoy|log-out|share|square-plus)\\.',
  'schemas/(file-messages|journal-entry|pet|pet-edit|shared-item|sync-state|voice-note)\\.',
  'src/data/(file-words|save-export|voice-words)\\.',
  'replication/(badge|connectivity/message-channel|shares)',
  'src/features/account/(install-entry|install-steps|sign-out-dialog|use-sign-out|use-sync-now|use-unsent|unsent-work|use-show-login|user-name)\\.',
  'src/features/pets/(choose-dog-page|shared-photo|use-kept|with-pet)\\.',
  'src/lib/(link-path|short-text|toasts|use-action|use-save-once|use-save-signal)\\.',
  'src/platform/(camera|haptics|recording-locks|save-file|support-mailbox|toasts)\\.',
  'src/ui/(coming-soon|form-page|modal|text-area-field)\\.',
];

/** What the list of dogs and their menus share. */
const dogActions = {
  name: 'dog-actions',
  test: /\/(icons\/(dog|image-plus|pencil|trash)|features\/pets\/pet-actions|lib\/action-sheet)\./,
};

const laterGroup = { name: 'later-screens', test: new RegExp(`/(${laterParts.join('|')})`) };

/**
 * React Query, its client and the screen that needs it lie together, so that the screen always has the code to say that it
 * needs a connection.
 */
const answersGroup = {
  name: 'answers',
  test: /\/(node_modules\/@tanstack\/(react-query|query-core)\/|src\/app\/open-answers\.|src\/routes\/_app\/pets\/\$petId\/actions\/share\.tsx\?tsr-split)/,
};

/** The days of a journal that have entries: what reads and what shows them. */
const monthsGroup = {
  name: 'months',
  test: /\/(src\/features\/journal\/calendar|src\/data\/rx-entry-days|src\/lib\/calendar-month|store\/feed-days)/,
};

/** All that moves data and files, but for the bell, which is a third of the page and for a connection only. */
const syncGroup = {
  name: 'sync',
  test: /\/(src\/app\/(open-commands|open-files|rare-services|start-sync|vanished-data)|src\/data\/(archive-files|documents|rx-commands|rx-repairs)|replication\/(?!firebase\/bell).*)\./,
};

const voiceGroup = {
  name: 'voice',
  test: /\/src\/features\/voice-notes\/(composer-voice|entry-player|note-tools|player|recovered-recordings|use-voice-recorder)\./,
};

const screensGroup = {
  name: 'screens',
  test: /\/src\/(features\/journal\/delete-note-dialog|routes\/_app\/(account|quick|settings|pets\/(new|\$petId\/(actions|delete|notes))).*\?tsr-split)/,
};

/** For the native wrapper alone. */
const nativeGroup = {
  name: 'native',
  test: /\/(node_modules\/@capacitor|src\/(app\/native\.|platform\/native\/(?!google)))/,
};

export const chunkGroups = [
  ...vendorGroups,
  firstViewGroup,
  startGroup,
  dogActions,
  ownerGroup,
  raiseGroup,
  accountGroup,
  laterGroup,
  answersGroup,
  monthsGroup,
  syncGroup,
  voiceGroup,
  screensGroup,
  nativeGroup,
];

/** Of the first screens of an owner and of a stranger. */
export const awaitedChunks = /\/(account|owner-session|pets|profile)-/;
