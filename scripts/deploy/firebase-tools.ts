/**
 * The Firebase command line. It is fetched by npx when it is needed: it has 449 packages of 310 MB, which no test and no
 * other command wants. `tests/fixtures/firebase-tools.json` keeps which arguments this version takes.
 */
export const firebaseTools = 'firebase-tools@15.34.2';

/** All that firebase.json describes; another service of the project is left alone. */
const targets = 'firestore,storage,functions,hosting';

/**
 * - `--force` answers the questions that a function with a failure policy asks, and the one about old container images,
 *   which are then deleted after a day. It also deletes functions and indexes that this folder does not have.
 * - `--interactive` is for shells without a terminal. There, the command line would not ask whether Storage's rules may
 *   read Firestore, and would not grant it either: every upload would be refused.
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
