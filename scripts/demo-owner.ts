import type { SeedTarget } from '../backend/src/server.ts';

/** The owner that an empty data folder starts with, so that there is something to look at. Never with `--public`. */
export const demoOwner = {
  email: 'demo@pawpals.example',
  password: 'Walkies1!',
  displayName: 'Robin Fielding',
} as const;

const dayMs = 24 * 60 * 60 * 1_000;

interface DemoEntry {
  /** Before now. */
  readonly ageMs: number;
  readonly text: string;
}

const bramble: readonly DemoEntry[] = [
  {
    ageMs: 9 * dayMs,
    text: 'First time through the reeds at Thornham. Not keen on the cold, very keen on the ducks.',
  },
  {
    ageMs: 6 * dayMs,
    text: 'Steady to the whistle at sixty metres. Two blind retrieves, soft mouth both times.',
  },
  { ageMs: 3 * dayMs, text: 'Burr behind the left ear. Combed out, no sore.' },
  { ageMs: 1 * dayMs, text: 'Ate half a glove. Kept an eye on her all evening, all well.' },
  {
    ageMs: 2 * 60 * 60 * 1_000,
    text: 'Long walk along the dyke. She sat for the cyclists without being asked.',
  },
];

const moss: readonly DemoEntry[] = [
  { ageMs: 5 * dayMs, text: 'Weighed at the vet: 9.4 kg. Second jab done, back in three weeks.' },
  { ageMs: 4 * 60 * 60 * 1_000, text: 'Slept through the night.' },
];

const organizations = [
  { tradingName: 'Fenland Gundog Club', memberCount: 42 },
  { tradingName: 'Steady & Soft Training', memberCount: 8 },
  { tradingName: 'The Whistle Field', memberCount: 17 },
];

/** Gives each document the next number of the owner's clock, as sync does. */
function createSequence() {
  let seq = 0;
  const sync = () => ({ seq: (seq += 1), deleted: false, edits: {}, updatedAt: new Date() });
  return { sync, head: () => seq };
}

export async function seedDemoOwner({ accounts, firestore }: SeedTarget): Promise<void> {
  const { uid } = await accounts.createUser(demoOwner);
  const sequence = createSequence();
  const now = Date.now();

  const pet = (id: string, data: Readonly<Record<string, string | Date>>) => ({
    set: `pets/${id}`,
    data: { ownerId: uid, ...data, ...sequence.sync() },
  });
  const entries = (petId: string, list: readonly DemoEntry[]) =>
    list.map(({ ageMs, text }, index) => ({
      set: `pets/${petId}/journalEntries/demo-${petId}-${index}`,
      data: {
        createdBy: uid,
        createdDate: new Date(now - ageMs),
        type: 'note',
        text,
        ...sequence.sync(),
      },
    }));

  const writes = [
    pet('demo-bramble', {
      name: 'Bramble',
      breed: 'Labrador Retriever',
      dob: new Date(Date.UTC(2021, 3, 17)),
      description: 'Black bitch, keen nose, opinions about cyclists.',
    }),
    pet('demo-moss', {
      name: 'Moss',
      breed: 'Vizsla',
      dob: new Date(startOfDay(now - 80 * dayMs)),
    }),
    ...entries('demo-bramble', bramble),
    ...entries('demo-moss', moss),
    ...organizations.map((data, index) => ({ set: `organizations/demo-${index}`, data })),
  ];
  const head = { head: sequence.head(), epoch: crypto.randomUUID() };
  await firestore.commit([...writes, { set: `sync/${uid}`, data: head }]);
}

/** A date of birth is midnight UTC. */
function startOfDay(ms: number): number {
  return ms - (ms % dayMs);
}
