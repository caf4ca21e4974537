import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { configProblems } from './config-problems.ts';
import { deployCheck } from './deploy-check.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));

const settings = {
  VITE_FIREBASE_API_KEY: 'AIza-key',
  VITE_FIREBASE_AUTH_DOMAIN: 'my-dogs.firebaseapp.com',
  VITE_FIREBASE_PROJECT_ID: 'my-dogs',
  VITE_FIREBASE_STORAGE_BUCKET: 'my-dogs.firebasestorage.app',
  VITE_FIREBASE_APP_ID: '1:2:web:3',
};

const indexesBy = (...fields: readonly string[]) =>
  JSON.stringify({
    indexes: [],
    fieldOverrides: fields.map((fieldPath) => ({
      collectionGroup: 'journalEntries',
      fieldPath,
      indexes: [{ order: 'ASCENDING', queryScope: 'COLLECTION_GROUP' }],
    })),
  });

/** The files that a deployment needs besides firebase.json, which is this project's own. */
const files: Readonly<Record<string, string>> = {
  'firestore.rules': "rules_version = '2';",
  'storage.rules': "rules_version = '2';",
  'firestore.indexes.json': indexesBy('createdBy', 'fileLocation'),
  'dist/index.html': '<!doctype html>',
  'dist/sw.js': '',
  'dist/static/js/app.js': 'const config={apiKey:"AIza-key",projectId:"my-dogs"}',
  'functions/package.json': JSON.stringify({
    main: 'dist/index.js',
    dependencies: { 'firebase-functions': '7.4.0' },
  }),
  'functions/package-lock.json': '{"packages":{"":{}}}',
  'functions/dist/index.js':
    'import { runWith } from "firebase-functions/v1";\nimport "node:fs";\nexport { accountCleanup, fileCleanup, transcribe };\n',
};

type Changes = Readonly<Record<string, string | null>>;

/** Checks a valid project with these files changed; null removes a file. */
async function check(changes: Changes, env: NodeJS.ProcessEnv = settings): Promise<string[]> {
  const root = await mkdtemp(join(tmpdir(), 'pawpals-deploy-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await cp(join(repository, 'firebase.json'), join(root, 'firebase.json'));
  for (const [path, content] of Object.entries({ ...files, ...changes })) {
    if (content === null) continue;
    await mkdir(join(root, dirname(path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  return deployCheck(root, env);
}

const policy = (value: string) =>
  JSON.stringify({
    hosting: {
      public: 'dist',
      headers: [{ source: '**', headers: [{ key: 'Content-Security-Policy', value }] }],
    },
    firestore: { rules: 'firestore.rules', indexes: 'firestore.indexes.json' },
    storage: { rules: 'storage.rules' },
    functions: [{ source: 'functions', runtime: 'nodejs22' }],
  });

describe('the deploy check', () => {
  it('has nothing to say about a project that is ready', async () => {
    expect(await check({})).toEqual([]);
  });

  it.each<readonly [string, Changes]>([
    ['firebase.json is missing', { 'firebase.json': '{"hosting":' }],
    ['firestore.rules is missing', { 'firestore.rules': null }],
    ["storage.rules must say rules_version = '2'", { 'storage.rules': "rules_version = '1';" }],
    ['firestore.indexes.json is missing', { 'firestore.indexes.json': null }],
    ['by createdBy', { 'firestore.indexes.json': indexesBy('fileLocation') }],
    ['by fileLocation', { 'firestore.indexes.json': indexesBy('createdBy') }],
    ['dist/sw.js is missing', { 'dist/sw.js': null }],
    ['built for another project', { 'dist/static/js/app.js': 'apiKey:"embedded"' }],
    ['functions/dist/index.js is missing', { 'functions/dist/index.js': null }],
    ['lacks accountCleanup', { 'functions/dist/index.js': 'export { fileCleanup, transcribe };' }],
    ['lacks fileCleanup', { 'functions/dist/index.js': 'export { accountCleanup, transcribe };' }],
    ['lacks transcribe', { 'functions/dist/index.js': 'export { accountCleanup, fileCleanup };' }],
    [
      'lacks rxdb, which the bundle imports',
      {
        'functions/dist/index.js':
          'import { a } from "rxdb/plugins";\nexport { accountCleanup, fileCleanup, transcribe };',
      },
    ],
    ["must not allow 'unsafe-inline'", { 'firebase.json': policy("script-src 'unsafe-inline'") }],
    ['gives the pages no Content-Security-Policy', { 'firebase.json': policy('') }],
    [
      'frame-src in firebase.json does not allow my-dogs.firebaseapp.com',
      { 'firebase.json': policy("default-src 'self'; frame-src https://other.firebaseapp.com") },
    ],
    ['would be deployed to cats', { '.firebaserc': '{"projects":{"default":"cats"}}' }],
    ['functions/package-lock.json is missing', { 'functions/package-lock.json': null }],
    ['PAWPALS_SPEECH_KEY must not stand', { 'functions/.env': 'PAWPALS_SPEECH_KEY=x' }],
    ['needs PAWPALS_SPEECH_URL', { 'functions/.env': 'PAWPALS_SPEECH_ENGINE=openai' }],
    ['pocketsphinx needs programs', { 'functions/.env': 'PAWPALS_SPEECH_ENGINE=pocketsphinx' }],
    ['must be google, openai or none', { 'functions/.env': 'PAWPALS_SPEECH_ENGINE=parrot' }],
    ['PAWPALS_APP_CHECK in functions/.env', { 'functions/.env': 'PAWPALS_APP_CHECK=yes' }],
    ['refuses every recording', { 'functions/.env': 'PAWPALS_APP_CHECK=enforce' }],
  ])('says "%s"', async (sentence, changes) => {
    const problems = await check(changes);
    expect(problems).toEqual([expect.stringContaining(sentence)]);
  });

  it('accepts another runtime nowhere', async () => {
    const config = policy("default-src 'self'").replace('nodejs22', 'nodejs20');
    expect(await check({ 'firebase.json': config })).toEqual([
      'Functions need the runtime nodejs22 in firebase.json.',
    ]);
  });

  it('accepts a frame of any project’s domain', async () => {
    const config = policy("default-src 'self'; frame-src https://*.firebaseapp.com");
    expect(await check({ 'firebase.json': config })).toEqual([]);
  });

  it.each(Object.keys(settings))('says that %s is not set', async (name) => {
    expect(await check({}, { ...settings, [name]: '' })).toEqual([
      `${name} is not set; put it into .env.hosted.local.`,
    ]);
  });

  it('sees that the command line deploys to another project than the app was built for', async () => {
    const told = { ...settings, RESOURCE_DIR: '/dist', GCLOUD_PROJECT: 'cats' };
    expect(await check({}, told)).toEqual([
      'This would be deployed to cats, and VITE_FIREBASE_PROJECT_ID is my-dogs.',
    ]);
    expect(await check({}, { ...told, GCLOUD_PROJECT: 'my-dogs' })).toEqual([]);
  });

  it('names what App Check contacts and the policy does not allow, where there is a site key', async () => {
    const withKey = { ...settings, VITE_FIREBASE_APP_CHECK_KEY: '6Lsite' };
    const problems = await check({}, withKey);
    expect(problems).toHaveLength(5);
    expect(problems[4]).toBe(
      'connect-src in firebase.json lacks https://content-firebaseappcheck.googleapis.com, which App Check needs.',
    );
    const allowed =
      "script-src 'self' https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/; " +
      'frame-src https://*.firebaseapp.com https://www.google.com/recaptcha/; ' +
      'connect-src https://www.google.com/recaptcha/ https://content-firebaseappcheck.googleapis.com';
    const enforced = { 'functions/.env': 'PAWPALS_APP_CHECK=enforce' };
    expect(await check({ 'firebase.json': policy(allowed), ...enforced }, withKey)).toEqual([]);
  });

  it('reads the settings of .env.hosted.local', async () => {
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
    expect(await check({ '.env.hosted.local': lines.join('\n') }, {})).toEqual([]);
  });

  it.each([
    ['VITE_FIREBASE_API_KEY', '"AIza-key",', 'must be the key alone'],
    ['VITE_FIREBASE_AUTH_DOMAIN', 'https://a.firebaseapp.com/', 'must be a host alone'],
    ['VITE_FIREBASE_PROJECT_ID', 'My dogs', 'must be the project’s id'],
    ['VITE_FIREBASE_STORAGE_BUCKET', 'gs://my-dogs.firebasestorage.app', 'must be the name of'],
    ['VITE_FIREBASE_APP_ID', "'1:2:web:3'", 'must be the id of the web app'],
  ])('refuses %s as %s', async (name, value, sentence) => {
    const problems = await check({}, { ...settings, [name]: value });
    expect(problems).toContainEqual(expect.stringContaining(`${name} ${sentence}`));
  });

  it('refuses an emulator’s address', async () => {
    const emulator = { ...settings, VITE_FIREBASE_SERVER_ORIGIN: 'http://localhost:4173' };
    expect(await check({}, emulator)).toEqual([
      expect.stringContaining('VITE_FIREBASE_SERVER_ORIGIN is for emulators'),
    ]);
  });
});

it('has nothing to say about the configuration of this project', async () => {
  expect(await configProblems(repository)).toEqual([]);
});

it('also runs when somebody deploys by hand, after the app was built for that', async () => {
  const config: unknown = JSON.parse(await readFile(join(repository, 'firebase.json'), 'utf8'));
  expect(config).toMatchObject({
    hosting: { predeploy: ['npm run build:hosted', 'npm run deploy:check'] },
  });
});
