import type { SeedTarget } from '../../backend/src/server.ts';
import { demoOwner } from '../../scripts/demo-owner/demo-owner.ts';

export const fullOwner = {
  email: 'full@pawpals.example',
  password: demoOwner.password,
  displayName: 'Wilhelmina Featherstonehaugh-Cholmondeley of Kirkby Lonsdale',
};

const dogs = [
  'Duke',
  'Bartholomew Archibald Featherstonehaugh-Cholmondeley the Third',
  'كلب الصيد',
  '🐕‍🦺 Scout',
  '<b>Bold</b>',
  'Otto',
  'Wren',
];

const hourMs = 3_600_000;
const entryCount = 300;

/**
 * Returns how long ago an entry was written. The newest one was written now. There is one every five hours, and a pause of
 * two days after each twenty, so that a month has days with entries and days without, on whatever date the tests run.
 */
function ageMs(index: number): number {
  const later = entryCount - 1 - index;
  return (later * 5 + Math.floor(later / 20) * 48) * hourMs;
}

const texts = [
  'Short.',
  'Recall from two hundred metres, with a hare in between. '.repeat(12),
  'مشى جيدا اليوم ولم يسحب الحبل على الإطلاق',
  'Good dog. 🐕🐾🎾',
  '<script>alert("no")</script> & <b>not bold</b>',
  'The vet wrote about it: https://vet.example/a/very/long/address/that/does/not/fit/beside/anything?at=all#today',
  'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenhalter'.repeat(2),
  'First line\nsecond line\n\na line after an empty one',
];

/**
 * Creates an owner with the extremes that a page has to handle: many dogs, long names, other scripts, a long journal.
 */
export async function seedFullOwner({ accounts, firestore }: SeedTarget): Promise<void> {
  const { uid } = await accounts.createUser(fullOwner);
  let seq = 0;
  const synced = () => ({ seq: (seq += 1), deleted: false, edits: {}, updatedAt: new Date() });
  const now = Date.now();
  const pets = dogs.map((name, index) => ({
    set: `pets/full-${index}`,
    data: {
      ownerId: uid,
      name,
      breed: 'German Wirehaired Pointer',
      description: index % 2 === 0 ? (texts[1] ?? '') : '',
      ...synced(),
    },
  }));
  const entries = Array.from({ length: entryCount }, (_, index) => ({
    set: `pets/full-0/journalEntries/full-${index}`,
    data: {
      createdBy: uid,
      createdDate: new Date(now - ageMs(index)),
      type: 'note',
      text: texts[index % texts.length] ?? '',
      ...synced(),
    },
  }));
  const head = { set: `sync/${uid}`, data: { head: seq, epoch: crypto.randomUUID() } };
  await firestore.commit([...pets, ...entries, head]);
}
