import * as v from 'valibot';
import { hostedPolicy, readFirebaseConfig } from './firebase-config.ts';
import { readFunctionsSettings } from './functions-settings.ts';
import { readJson } from './read-file.ts';

export type Settings = Readonly<Record<string, string | undefined>>;

/** The settings of a web app, as the Firebase console shows them. */
const required = [
  'VITE_FIREBASE_API_KEY',
  'VITE_FIREBASE_AUTH_DOMAIN',
  'VITE_FIREBASE_PROJECT_ID',
  'VITE_FIREBASE_STORAGE_BUCKET',
  'VITE_FIREBASE_APP_ID',
] as const;

const hostName = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/;

/** The shapes of values that are easily copied with what stands around them: quotes, commas, `gs://`, a display name. */
const shapes: readonly (readonly [name: string, shape: RegExp, sentence: string])[] = [
  ['VITE_FIREBASE_API_KEY', /^[\w-]+$/, 'must be the key alone, without quotes or a comma'],
  ['VITE_FIREBASE_AUTH_DOMAIN', hostName, 'must be a host alone, as my-project.firebaseapp.com'],
  ['VITE_FIREBASE_PROJECT_ID', /^[a-z0-9.:-]+$/, 'must be the project’s id, as my-project-1234'],
  [
    'VITE_FIREBASE_STORAGE_BUCKET',
    /^[a-z0-9][a-z0-9._-]*$/,
    'must be the name of the bucket alone, as my-project.firebasestorage.app',
  ],
  ['VITE_FIREBASE_APP_ID', /^[\w:-]+$/, 'must be the id of the web app, as 1:1234:web:5678'],
];

export async function settingsProblems(root: string, settings: Settings): Promise<string[]> {
  return [
    ...required
      .filter((name) => (settings[name] ?? '') === '')
      .map((name) => `${name} is not set; put it into .env.hosted.local.`),
    ...shapes
      .filter(([name, shape]) => (settings[name] ?? '') !== '' && !shape.test(settings[name] ?? ''))
      .map(([name, , sentence]) => `${name} ${sentence}.`),
    ...serverProblems(settings),
    ...(await authDomainProblems(root, settings)),
    ...(await appCheckProblems(root, settings)),
    ...(await projectProblems(root, settings)),
    ...(await functionsProblems(root, settings)),
  ];
}

const serverProblems = (settings: Settings): string[] =>
  (settings['VITE_FIREBASE_SERVER_ORIGIN'] ?? '') === ''
    ? []
    : ['VITE_FIREBASE_SERVER_ORIGIN is for emulators; a deployed app must not have it.'];

async function authDomainProblems(root: string, settings: Settings): Promise<string[]> {
  const domain = settings['VITE_FIREBASE_AUTH_DOMAIN'] ?? '';
  if (!hostName.test(domain)) return [];
  const config = await readFirebaseConfig(root);
  const frames = /(?:^|;)\s*frame-src([^;]*)/.exec((config && hostedPolicy(config)) ?? '')?.[1];
  // Without a frame-src the app has no Google button and embeds no frame.
  if (frames === undefined) return [];
  const isAllowed = frames
    .trim()
    .split(/\s+/)
    .map((source) => source.replace('https://', ''))
    .some((host) => (host.startsWith('*.') ? domain.endsWith(host.slice(1)) : host === domain));
  return isAllowed
    ? []
    : [`frame-src in firebase.json does not allow ${domain}; Google sign-in needs it.`];
}

/** The addresses that reCAPTCHA and App Check contact, by directive of the content security policy. */
const appCheckSources: readonly (readonly [string, string])[] = [
  ['script-src', 'https://www.google.com/recaptcha/'],
  ['script-src', 'https://www.gstatic.com/recaptcha/'],
  ['frame-src', 'https://www.google.com/recaptcha/'],
  ['connect-src', 'https://www.google.com/recaptcha/'],
  ['connect-src', 'https://content-firebaseappcheck.googleapis.com'],
];

async function appCheckProblems(root: string, settings: Settings): Promise<string[]> {
  const config = await readFirebaseConfig(root);
  if (config === null || (settings['VITE_FIREBASE_APP_CHECK_KEY'] ?? '') === '') return [];
  const directives = (hostedPolicy(config) ?? '')
    .split(';')
    .map((part) => part.trim().split(/\s+/));
  return appCheckSources
    .filter(([name, source]) => !directives.some((d) => d[0] === name && d.includes(source)))
    .map(([name, source]) => `${name} in firebase.json lacks ${source}, which App Check needs.`);
}

async function functionsProblems(root: string, settings: Settings): Promise<readonly string[]> {
  const config = await readFirebaseConfig(root);
  if (config === null) return [];
  const { source } = config.functions[0];
  const { problems, isAppCheckEnforced } = await readFunctionsSettings(root, source);
  if (!isAppCheckEnforced || (settings['VITE_FIREBASE_APP_CHECK_KEY'] ?? '') !== '')
    return problems;
  return [
    ...problems,
    `PAWPALS_APP_CHECK in ${source}/.env refuses every recording while VITE_FIREBASE_APP_CHECK_KEY is not set.`,
  ];
}

const projectsSchema = v.object({ projects: v.object({ default: v.string() }) });

async function defaultProject(root: string): Promise<string | null> {
  const parsed = v.safeParse(projectsSchema, await readJson(root, '.firebaserc'));
  return parsed.success ? parsed.output.projects.default : null;
}

async function projectProblems(root: string, settings: Settings): Promise<string[]> {
  const built = settings['VITE_FIREBASE_PROJECT_ID'] ?? '';
  // The Firebase CLI sets both variables for its predeploy commands.
  const named = settings['RESOURCE_DIR'] === undefined ? undefined : settings['GCLOUD_PROJECT'];
  const chosen = named ?? (await defaultProject(root)) ?? built;
  return built === '' || chosen === built
    ? []
    : [`This would be deployed to ${chosen}, and VITE_FIREBASE_PROJECT_ID is ${built}.`];
}
