import type { ActionKind } from './command-actions.ts';
import type { Happening } from './command-history.ts';

const act = (device: number, action: ActionKind): Happening => ({
  kind: 'act',
  device,
  action,
  pick: 0,
  crash: null,
});

const sync = (device: number): Happening => ({ kind: 'sync', device, crash: null });

/** An unsent note of a dog that another device deletes, and imports again with the note. */
const importedElsewhere = [
  act(0, 'create-pet'),
  sync(0),
  sync(1),
  act(0, 'record'),
  act(1, 'delete-pet'),
  sync(1),
  act(0, 'export'),
  act(0, 'correct-words'),
  act(1, 'import'),
  sync(1),
  sync(1),
  sync(0),
];

/** Histories in which something was lost before a mend, with a name each. */
export const foundHistories: readonly (readonly [string, readonly Happening[]])[] = [
  ['an entry that is edited here, and imported elsewhere under another dog', importedElsewhere],
  [
    'such an entry whose edit is discarded',
    [...importedElsewhere, act(0, 'discard-parked'), sync(0), sync(1)],
  ],
];
