import * as fc from 'fast-check';
import type { EditHow } from './model-actions.ts';

/** The treatment of `sync/{uid}` in a restore: it is deleted, gets a new epoch, or is restored with the documents. */
export type RestoreHow = 'headless' | 'new-epoch' | 'same-epoch';

/** One event of a history. `device` and `pick` are taken modulo the number of candidates. */
export type Happening =
  | { readonly kind: 'addPet' | 'retry'; readonly device: number }
  | {
      readonly kind: 'addEntry' | 'transcribe' | 'deleteEntry' | 'deletePet';
      readonly device: number;
      readonly pick: number;
    }
  | {
      readonly kind: 'edit';
      readonly device: number;
      readonly pick: number;
      readonly how: EditHow;
    }
  /** Begins a run in one of the device's tabs, or crashes the tab. */
  | { readonly kind: 'sync' | 'crash'; readonly device: number; readonly tab: number }
  /** Runs a whole sync without interleaved steps of other processes. */
  | { readonly kind: 'fullSync'; readonly device: number }
  | { readonly kind: 'steps'; readonly count: number }
  | { readonly kind: 'network'; readonly device: number; readonly isOnline: boolean }
  | { readonly kind: 'tick'; readonly minutes: number }
  | { readonly kind: 'snapshot' }
  | { readonly kind: 'restore'; readonly how: RestoreHow };

export interface History {
  /** The seed that decides the order of steps and which requests are lost. */
  readonly seed: number;
  /** The clock error of each device in minutes; the length is the number of devices. */
  readonly clocks: readonly number[];
  /** Documents that an earlier client left on the server. */
  readonly legacyPets: number;
  readonly losses: boolean;
  readonly happenings: readonly Happening[];
}

const device = fc.nat(3);
const pick = fc.nat(255);
const tab = fc.nat(1);

const how = fc.oneof(
  { weight: 8, arbitrary: fc.constant<EditHow>('plain') },
  { weight: 1, arbitrary: fc.constant<EditHow>('clear') },
  { weight: 1, arbitrary: fc.constant<EditHow>('refused') },
  { weight: 1, arbitrary: fc.constant<EditHow>('refused-today') },
);

function of<Kind extends string>(kind: Kind): fc.Arbitrary<Kind> {
  return fc.constant(kind);
}

const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: of('addPet'), device }) },
  { weight: 4, arbitrary: fc.record({ kind: of('addEntry'), device, pick }) },
  { weight: 8, arbitrary: fc.record({ kind: of('edit'), device, pick, how }) },
  { weight: 2, arbitrary: fc.record({ kind: of('transcribe'), device, pick }) },
  { weight: 2, arbitrary: fc.record({ kind: of('deleteEntry'), device, pick }) },
  { weight: 1, arbitrary: fc.record({ kind: of('deletePet'), device, pick }) },
  { weight: 6, arbitrary: fc.record({ kind: of('sync'), device, tab }) },
  { weight: 6, arbitrary: fc.record({ kind: of('fullSync'), device }) },
  { weight: 8, arbitrary: fc.record({ kind: of('steps'), count: fc.nat(40) }) },
  { weight: 4, arbitrary: fc.record({ kind: of('crash'), device, tab }) },
  { weight: 2, arbitrary: fc.record({ kind: of('network'), device, isOnline: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: of('retry'), device }) },
  { weight: 2, arbitrary: fc.record({ kind: of('tick'), minutes: fc.nat(90) }) },
  { weight: 1, arbitrary: fc.record({ kind: of('snapshot') }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: of('restore'),
      how: fc.constantFrom<RestoreHow>('headless', 'new-epoch', 'same-epoch'),
    }),
  },
);

/** Events in which two engines of one device race, while another device waits for the result. */
const crowded: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: of('addPet'), device }) },
  { weight: 3, arbitrary: fc.record({ kind: of('edit'), device, pick, how: of('plain') }) },
  { weight: 8, arbitrary: fc.record({ kind: of('sync'), device, tab }) },
  { weight: 2, arbitrary: fc.record({ kind: of('fullSync'), device }) },
  { weight: 6, arbitrary: fc.record({ kind: of('steps'), count: fc.nat(20) }) },
);

/** Histories of two devices, on each of which two engines sync at once without a lock. */
export const crowdedHistories: fc.Arbitrary<History> = fc.record({
  seed: fc.integer({ min: 0 }),
  clocks: fc.constant([0, 0]),
  legacyPets: fc.nat(2),
  losses: fc.constant(false),
  happenings: fc.array(crowded, { maxLength: 30, size: 'max' }),
});

export const histories: fc.Arbitrary<History> = fc.record({
  seed: fc.integer({ min: 0 }),
  clocks: fc.array(fc.integer({ min: -300, max: 300 }), { minLength: 2, maxLength: 4 }),
  legacyPets: fc.nat(2),
  losses: fc.boolean(),
  happenings: fc.array(happening, { maxLength: 60, size: 'max' }),
});
