/**
 * The Firebase CLI. npx downloads it on demand: it has 449 packages of 310 MB, which no test and no other command
 * needs. `tests/fixtures/firebase-tools.json` has the arguments that this version accepts.
 */
export const firebaseTools = 'firebase-tools@15.34.2';

/** All services in firebase.json; the project's other services stay as they are. */
const targets = 'firestore,storage,functions,hosting';

/**
 * Returns the arguments of a deployment.
 *
 * - `--force` confirms a function with a failure policy, and the deletion of old container images after a day. It also
 *   deletes functions and indexes that this folder does not have.
 * - `--interactive` is for shells without a terminal. Otherwise the CLI would neither ask whether Storage's rules may
 *   read Firestore nor grant it, and every upload would be refused.
 */
export const deployArguments = (project: string): readonly string[] => [
  '--yes',
  firebaseTools,
  'deploy',
  '--project',
  project,
  '--only',
  targets,
  '--force',
  '--interactive',
];
