import * as v from 'valibot';
import { hostedPolicy, readFirebaseConfig, type FirebaseConfig } from './firebase-config.ts';
import { readJson, readText } from './read-file.ts';

/** The only runtime that the functions support; the cloud refuses older ones. */
const runtime = 'nodejs22';

export async function configProblems(root: string): Promise<string[]> {
  const config = await readFirebaseConfig(root);
  if (config === null) {
    return ['firebase.json is missing or lacks hosting, firestore, storage or functions.'];
  }
  return [
    ...(await rulesProblems(root, config)),
    ...(await indexProblems(root, config)),
    ...policyProblems(config),
    ...(config.functions[0].runtime === runtime
      ? []
      : [`Functions need the runtime ${runtime} in firebase.json.`]),
  ];
}

async function rulesProblems(root: string, config: FirebaseConfig): Promise<string[]> {
  const files = [config.firestore.rules, config.storage.rules];
  const texts = await Promise.all(files.map((file) => readText(root, file)));
  return files.flatMap((file, at) => {
    const text = texts[at] ?? null;
    if (text === null) return [`${file} is missing; without it nobody may read or write anything.`];
    return /rules_version\s*=\s*'2'/.test(text) ? [] : [`${file} must say rules_version = '2'.`];
  });
}

const indexesSchema = v.object({
  fieldOverrides: v.array(
    v.object({
      collectionGroup: v.string(),
      fieldPath: v.string(),
      indexes: v.array(v.object({ queryScope: v.string() })),
    }),
  ),
});

/** The clean-ups query the entries of all pets by these fields, which needs an index in the cloud. */
const groupFields = ['createdBy', 'fileLocation'];

async function indexProblems(root: string, config: FirebaseConfig): Promise<string[]> {
  const file = config.firestore.indexes;
  const parsed = v.safeParse(indexesSchema, await readJson(root, file));
  if (!parsed.success) return [`${file} is missing or has no fieldOverrides.`];
  const indexed = parsed.output.fieldOverrides
    .filter(({ collectionGroup }) => collectionGroup === 'journalEntries')
    .filter(({ indexes }) => indexes.some(({ queryScope }) => queryScope === 'COLLECTION_GROUP'))
    .map(({ fieldPath }) => fieldPath);
  return groupFields
    .filter((field) => !indexed.includes(field))
    .map((field) => `${file} lacks the group index of journalEntries by ${field}.`);
}

function policyProblems(config: FirebaseConfig): string[] {
  const policy = hostedPolicy(config);
  if (policy === null || policy === '') {
    return ['firebase.json gives the pages no Content-Security-Policy under the source "**".'];
  }
  const sources = policy.split(/[\s;]+/);
  return ["'unsafe-inline'", "'unsafe-eval'", '*', 'https:']
    .filter((source) => sources.includes(source))
    .map((source) => `The Content-Security-Policy in firebase.json must not allow ${source}.`);
}
