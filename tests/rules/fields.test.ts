import { deleteField } from 'firebase/firestore/lite';
import { describe, expect, it } from 'vitest';
import { contentFieldNames } from '../../schemas/documents/document.ts';
import { entryData, petData, useRulesWorld, type Outcome } from '../support/setups/rules-setup.ts';
import { valuesOfEachType } from '../support/fixtures/wrong-values.ts';

/**
 * The tests try every field with a value of every type, in a new document and in an update. An unknown field is
 * refused.
 */
const world = useRulesWorld();

/**
 * The types of the sample values that each field accepts. A field with a narrower format (a path, a choice) accepts
 * none of the samples.
 */
const petFields: Readonly<Record<string, readonly string[]>> = {
  ownerId: [],
  name: ['string'],
  breed: ['string'],
  dob: [],
  profilePicturePath: [],
  profilePictureVersion: ['string'],
  description: ['string'],
  deleted: [],
  seq: [],
  edits: [],
  updatedAt: [],
  schemaVersion: [],
  constructor: [],
};

const entryFields: Readonly<Record<string, readonly string[]>> = {
  createdBy: [],
  createdDate: ['timestamp'],
  type: [],
  text: ['string'],
  transcript: [],
  formerTexts: ['string'],
  fileLocation: [],
  contentType: ['string'],
  durationMs: ['integer', 'double'],
  waveform: ['string'],
  deleted: [],
  seq: [],
  edits: [],
  updatedAt: [],
  schemaVersion: [],
  constructor: [],
};

let documents = 0;

/** Returns a new path for each attempt, and valid data for it. */
function newPet() {
  const petId = `pet-${(documents += 1)}`;
  return { path: `pets/${petId}`, valid: petData(world().alice.uid, petId) };
}

async function newEntry() {
  const { path: petPath, valid: pet } = newPet();
  await world().seed(petPath, pet);
  const path = `${petPath}/journalEntries/e`;
  return { path, valid: entryData(world().alice.uid, petPath.split('/')[1] ?? '') };
}

type Attempt = (field: string, value: unknown) => Promise<Outcome>;

const create =
  (make: typeof newPet | typeof newEntry): Attempt =>
  async (field, value) => {
    const { path, valid } = await make();
    return world().alice.push([{ path, data: { ...valid, [field]: value } }]);
  };

const change =
  (make: typeof newPet | typeof newEntry): Attempt =>
  async (field, value) => {
    const { path, valid } = await make();
    await world().seed(path, valid);
    return world().alice.push([{ path, data: { [field]: value }, mask: [field] }]);
  };

async function allowedTypes(attempt: (value: unknown) => Promise<Outcome>): Promise<string[]> {
  const allowed: string[] = [];
  for (const [type, value] of Object.entries(valuesOfEachType(world().alice.firestore))) {
    if ((await attempt(value)) === 'allowed') allowed.push(type);
  }
  return allowed;
}

describe.each([
  ['a new pet', create(newPet), petFields],
  ['a change of a pet', change(newPet), petFields],
  ['a new entry', create(newEntry), entryFields],
  ['a change of an entry', change(newEntry), entryFields],
])('%s', (_, attempt, fields) => {
  it('is allowed with every field valid', async () => {
    const isPet = fields === petFields;
    expect(await attempt(isPet ? 'name' : 'text', 'Moss')).toBe('allowed');
  });

  it.each(Object.entries(fields))('%s accepts only these types: %j', async (field, types) => {
    expect(await allowedTypes((value) => attempt(field, value))).toEqual(types);
  });

  it('accepts only a number as the stamp of a field', async () => {
    const names = contentFieldNames[fields === petFields ? 'pets' : 'entries'];
    for (const name of names) {
      const types = await allowedTypes((value) => attempt('edits', { [name]: value }));
      expect([name, ...types]).toEqual([name, 'integer', 'double']);
      expect(await attempt('edits', { [name]: -1 })).toBe('denied');
    }
    for (const name of ['seq', 'ownerId', 'unknown', '__proto']) {
      expect([name, await attempt('edits', { [name]: 7 })]).toEqual([name, 'denied']);
    }
  });
});

describe('fields that may be missing', () => {
  it.each(contentFieldNames.pets)('%s of a pet', async (field) => {
    const expected: Outcome = field === 'name' ? 'denied' : 'allowed';
    const { path, valid } = newPet();
    const { [field]: _, ...rest } = valid;
    expect(await world().alice.push([{ path, data: rest }])).toBe(expected);
    expect(await change(newPet)(field, deleteField())).toBe(expected);
  });

  it.each(contentFieldNames.entries)('%s of an entry', async (field) => {
    const isNeeded = field === 'createdDate' || field === 'type';
    const expected: Outcome = isNeeded ? 'denied' : 'allowed';
    const { path, valid } = await newEntry();
    const { [field]: _, ...rest } = valid;
    expect(await world().alice.push([{ path, data: rest }])).toBe(expected);
    expect(await change(newEntry)(field, deleteField())).toBe(expected);
  });

  it.each(['ownerId', 'seq', 'deleted', 'edits', 'updatedAt'])('never %s', async (field) => {
    const { path, valid } = newPet();
    const full = { ...valid, seq: 1, deleted: false, updatedAt: new Date() };
    await world().seed(path, full);
    const { alice } = world();
    const data = { [field]: deleteField() };
    expect(await alice.push([{ path, data: {}, mask: [] }])).toBe('allowed');
    expect(await alice.push([{ path, data, mask: [field] }])).toBe('denied');
  });
});

describe('invalid values of the right type are denied', () => {
  it.each<[string, string, unknown]>([
    ['a name of blanks', 'name', '  \t\n'],
    ['an empty name', 'name', ''],
    ['a date that is not midnight', 'dob', new Date('2021-04-17T01:00:00Z')],
    ['a picture of another pet', 'profilePicturePath', 'pets/other/images/profile.webp'],
    ['a picture elsewhere', 'profilePicturePath', 'users/x/images/profile.webp'],
    ['a picture with another name', 'profilePicturePath', 'pets/PET/images/other.webp'],
    ['a picture that is a script', 'profilePicturePath', 'pets/PET/images/profile.svg'],
    ['a picture further down', 'profilePicturePath', 'pets/PET/images/a/profile.webp'],
    [
      'a picture on another server',
      'profilePicturePath',
      'https://e.example/pets/PET/images/profile.webp',
    ],
  ])('%s', async (_, field, value) => {
    for (const isNew of [true, false]) {
      const { path, valid } = newPet();
      const petId = path.split('/')[1] ?? '';
      const data = typeof value === 'string' ? value.replace('PET', petId) : value;
      if (!isNew) await world().seed(path, valid);
      expect(await world().alice.push([{ path, data: { ...valid, [field]: data } }])).toBe(
        'denied',
      );
    }
  });

  it.each<[string, string, unknown]>([
    ['a time before 1970', 'createdDate', new Date(-1)],
    ['an unknown type', 'type', 'photo'],
    ['an unknown transcript state', 'transcript', 'lost'],
    ['a negative duration', 'durationMs', -1],
    ['a recording of another pet', 'fileLocation', 'pets/other/audios/voice-note-1.webm'],
    ['a recording without a time', 'fileLocation', 'pets/PET/audios/voice-note-.webm'],
    ['a recording without an extension', 'fileLocation', 'pets/PET/audios/voice-note-1'],
    ['a recording elsewhere', 'fileLocation', 'pets/PET/images/voice-note-1.webm'],
  ])('%s', async (_, field, value) => {
    for (const isNew of [true, false]) {
      const { path, valid } = await newEntry();
      const petId = path.split('/')[1] ?? '';
      const data = typeof value === 'string' ? value.replace('PET', petId) : value;
      if (!isNew) await world().seed(path, valid);
      expect(await world().alice.push([{ path, data: { ...valid, [field]: data } }])).toBe(
        'denied',
      );
    }
  });
});
