import * as fc from 'fast-check';
import { actionKinds, type ActionKind } from './command-actions.ts';
import type { LinkMode } from './faulty-link.ts';
import type { RestoreHow } from './server-backup.ts';

/** The number of write transactions after which the disk fails; null if it does not fail. */
type Crash = number | null;

/** One event of a history. `device` is taken modulo the number of devices. */
export type Happening =
  | {
      readonly kind: 'act';
      readonly device: number;
      readonly action: ActionKind;
      readonly pick: number;
      readonly crash: Crash;
    }
  | { readonly kind: 'sync'; readonly device: number; readonly crash: Crash }
  /** All devices sync at once. */
  | { readonly kind: 'sync-all' }
  /** The owner acts while the device syncs. */
  | {
      readonly kind: 'act-while-syncing';
      readonly device: number;
      readonly action: ActionKind;
      readonly pick: number;
    }
  | { readonly kind: 'link'; readonly device: number; readonly mode: LinkMode }
  | { readonly kind: 'clock'; readonly device: number; readonly minutes: number }
  | { readonly kind: 'pass'; readonly minutes: number }
  | { readonly kind: 'restart-server' | 'back-up' }
  /** The server is restored from the newest backup, if there is one. */
  | { readonly kind: 'restore'; readonly how: RestoreHow }
  /** The first dog gets that many notes. */
  | { readonly kind: 'write-many'; readonly device: number; readonly count: number }
  /** The server refuses the next file of the device. */
  | { readonly kind: 'refuse-file'; readonly device: number };

export interface CommandHistory {
  /** The seed that decides which connections of a lossy link are cut. */
  readonly seed: number;
  readonly happenings: readonly Happening[];
}

const device = fc.nat(2);
const pick = fc.nat(15);
const crash = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.nat(9) },
);

const weights: Partial<Record<ActionKind, number>> = {
  'create-pet': 2,
  'add-note': 2,
  record: 5,
  'set-picture': 3,
  'delete-entry': 3,
  undo: 3,
  'restore-version': 3,
  'move-entry': 3,
  retry: 2,
};

const anyAction: fc.Arbitrary<ActionKind> = fc.oneof(
  ...actionKinds.map((kind) => ({ weight: weights[kind] ?? 1, arbitrary: fc.constant(kind) })),
);

function of<Kind extends string>(kind: Kind): fc.Arbitrary<Kind> {
  return fc.constant(kind);
}

const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ kind: of('act'), device, action: anyAction, pick, crash }) },
  { weight: 6, arbitrary: fc.record({ kind: of('sync'), device, crash }) },
  { weight: 1, arbitrary: fc.record({ kind: of('sync-all') }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: of('act-while-syncing'), device, action: anyAction, pick }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: of('link'),
      device,
      mode: fc.constantFrom<LinkMode>('good', 'down', 'lossy', 'slow'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: of('clock'),
      device,
      minutes: fc.integer({ min: -60, max: 60 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: of('pass'), minutes: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: of('restart-server') }) },
  { weight: 1, arbitrary: fc.record({ kind: of('back-up') }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: of('restore'),
      how: fc.constantFrom<RestoreHow>('headless', 'new-epoch'),
    }),
  },
);

function by(actor: number, ...actions: readonly ActionKind[]): readonly Happening[] {
  return actions.map((action) => ({ kind: 'act', device: actor, action, pick: 0, crash: null }));
}

function synced(...devices: readonly number[]): readonly Happening[] {
  return devices.map((each) => ({ kind: 'sync', device: each, crash: null }));
}

/** A dog with a journal that both devices know, since little happens without one. */
const beginning: readonly Happening[] = [
  ...by(0, 'create-pet', 'set-picture', 'record', 'add-note'),
  ...synced(0),
  { kind: 'sync-all' },
];

/** Two devices describe the same dog, and the second finds out. */
const conflict: readonly Happening[] = [
  ...by(0, 'describe-pet'),
  ...by(1, 'describe-pet'),
  ...synced(0, 1),
];

/** A history in which every action is carried out, as random ones seldom manage. */
export const everyAction: CommandHistory = {
  seed: 1,
  happenings: [
    ...beginning,
    ...synced(0, 1),
    ...by(0, 'words-again', 'correct-words', 'discard-recording', 'export'),
    ...by(0, 'delete-entry', 'undo', 'import'),
    ...synced(0, 1),
    ...conflict,
    ...by(1, 'discard-version'),
    ...synced(1, 0),
    ...conflict,
    ...by(1, 'restore-version'),
    ...synced(1, 0),
    ...by(0, 'record'),
    { kind: 'refuse-file', device: 0 },
    ...by(0, 'discard-file', 'create-pet'),
    ...synced(0, 1),
    // Notes on the second device for a dog that the first one deletes.
    ...by(1, 'add-note', 'add-note', 'add-note'),
    ...by(0, 'delete-pet'),
    ...synced(0, 1),
    ...by(1, 'retry'),
    ...synced(1),
    ...by(1, 'move-entry', 'discard-parked'),
    ...synced(1, 0),
  ],
};

function historiesAfter(
  first: readonly Happening[],
  length: { readonly minLength: number; readonly maxLength: number },
): fc.Arbitrary<CommandHistory> {
  return fc.record({
    seed: fc.integer({ min: 0 }),
    happenings: fc
      .array(happening, { ...length, size: 'max' })
      .map((later) => [...first, ...later]),
  });
}

export const commandHistories = historiesAfter(beginning, { minLength: 4, maxLength: 24 });

/** More documents than any page of a pull, a push or a scan holds. */
const manyNotes = 520;

/** Histories in which the server loses a journal of many pages, and gets it back from the devices. */
export const restoredHistories = historiesAfter(
  [
    ...beginning,
    { kind: 'back-up' },
    { kind: 'write-many', device: 0, count: manyNotes },
    ...synced(0, 1),
    { kind: 'restore', how: 'headless' },
  ],
  { minLength: 2, maxLength: 8 },
);
