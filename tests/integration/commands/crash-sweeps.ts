import type { CommandHistory, Happening } from './command-history.ts';
import type { ActionKind } from './command-actions.ts';

/**
 * A short history whose last step is interrupted after each of its writes in turn, which random histories seldom do.
 */
export interface CrashSweep {
  /** At least the number of writes of the step. */
  readonly writes: number;
  readonly upTo: (crash: number) => readonly Happening[];
}

function act(action: ActionKind, crash: number | null = null, device = 0) {
  return { kind: 'act', device, action, pick: 0, crash } as const;
}

function sync(crash: number | null = null, device = 0): Happening {
  return { kind: 'sync', device, crash };
}

const syncAll: Happening = { kind: 'sync-all' };

/** A dog that both devices know. */
const knownPet = [act('create-pet'), sync(), syncAll];

/**
 * A dog that one device deletes while the other one, which has its picture, edits its description and can restore it.
 */
const deletedElsewhere = [
  ...knownPet,
  act('set-picture', null, 1),
  sync(null, 1),
  sync(null, 1),
  sync(),
  act('describe-pet', null, 1),
  act('delete-pet'),
  sync(),
  sync(null, 1),
];

const pictured = [act('create-pet'), act('set-picture'), sync(), syncAll];

/** A voice note that is uploaded and transcribed. */
const heardNote = [...knownPet, act('record'), sync(), sync()];

export const crashSweeps: Readonly<Record<string, CrashSweep>> = {
  'a recording is kept': {
    writes: 5,
    upTo: (crash) => [...knownPet, act('record', crash)],
  },
  'a recording is sent': {
    writes: 13,
    upTo: (crash) => [...knownPet, act('record'), sync(crash)],
  },
  'words are asked for again': {
    writes: 1,
    upTo: (crash) => [...heardNote, act('words-again', crash)],
  },
  'a voice note is deleted': {
    writes: 1,
    upTo: (crash) => [...heardNote, act('delete-entry', crash)],
  },
  'a voice note is deleted while it is sent': {
    writes: 5,
    upTo: (crash) => [...knownPet, act('record'), sync(5), act('delete-entry'), sync(crash)],
  },
  'a deleted dog with a picture is brought back': {
    writes: 1,
    upTo: (crash) => [...deletedElsewhere, act('restore-version', crash, 1)],
  },
  'a dog that was brought back gets its picture': {
    writes: 12,
    upTo: (crash) => [...deletedElsewhere, act('restore-version', null, 1), sync(crash, 1)],
  },
  'a picture of another type replaces one': {
    writes: 12,
    upTo: (crash) => [...pictured, { ...act('set-picture'), pick: 1 }, sync(crash), sync()],
  },
  'a picture meets that of another device': {
    writes: 4,
    upTo: (crash) => [
      ...pictured,
      act('set-picture', null, 1),
      act('set-picture'),
      sync(),
      sync(crash, 1),
    ],
  },
};

/** Returns one history for each write before which the step is interrupted, and one that runs to its end. */
export function historiesOf({ writes, upTo }: CrashSweep): readonly CommandHistory[] {
  return Array.from({ length: writes + 1 }, (_, crash) => ({ seed: 1, happenings: upTo(crash) }));
}
