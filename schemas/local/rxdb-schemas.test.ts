import { describe, expect, it } from 'vitest';
import { feedKeyOf, newDocument } from '../documents/document.ts';
import { feedKey } from '../documents/feed-key.ts';
import { documentIdMaxLength } from '../limits.ts';
import { deletePetJobId, placeFileJobId, removeFileJobId, sweepPetJobId } from './local-record.ts';
import { pictureJobId } from './outbox-job.ts';
import { journalEntryRxSchema, localRecordRxSchema, petRxSchema } from './rxdb-schemas.ts';
import { voiceNoteJobId } from '../documents/voice-note.ts';

const longestId = 'x'.repeat(documentIdMaxLength);
const { collection: pets, ...pet } = newDocument(
  { collection: 'pets', id: 'x', ownerId: 'u1', petId: null },
  { name: 'Bramble' },
  1,
);
const { collection: entries, ...entry } = newDocument(
  { collection: 'entries', id: 'x', ownerId: 'u1', petId: 'p1' },
  { text: 'Ducks' },
  1,
);

describe.each([
  { collection: pets, schema: petRxSchema, row: pet },
  {
    collection: entries,
    schema: journalEntryRxSchema,
    row: { ...entry, feedKey: feedKeyOf(entry) },
  },
])('the schema of $collection', ({ schema, row }) => {
  it('has and requires exactly the properties of a stored document', () => {
    const names = Object.keys(row).toSorted();
    expect(Object.keys(schema.properties).toSorted()).toEqual(names);
    expect([...schema.required].toSorted()).toEqual(names);
  });

  it('has a version that stays as it is: RxDB upgrades nothing', () => {
    expect(schema.version).toBe(0);
  });
});

describe('an indexed text', () => {
  it.each([petRxSchema, journalEntryRxSchema, localRecordRxSchema])(
    'has a length, and is required: $title',
    ({ indexes, properties, required }) => {
      const isRequired = new Set<string>(required);
      const propertyOf = new Map<string, object>(Object.entries(properties));
      const indexed = indexes.flat();
      expect(indexed.filter((name) => !isRequired.has(name))).toEqual([]);
      const unlimited = indexed.filter((name) => {
        const property = propertyOf.get(name);
        const isText = property !== undefined && 'type' in property && property.type === 'string';
        return isText && !('maxLength' in property);
      });
      expect(unlimited).toEqual([]);
    },
  );

  it('fits the longest feed key', () => {
    const { maxLength } = journalEntryRxSchema.properties.feedKey;
    expect(feedKey(0, longestId).length).toBeLessThanOrEqual(maxLength);
  });

  it('fits the id of each record of the longest document', () => {
    const { maxLength } = localRecordRxSchema.properties.id;
    const ids = [
      deletePetJobId(longestId),
      sweepPetJobId(longestId),
      placeFileJobId(longestId),
      pictureJobId(longestId),
      voiceNoteJobId(longestId),
      removeFileJobId({ documentId: longestId, objectName: 'ü'.repeat(1_024) }),
    ];
    for (const id of ids) expect(id.length).toBeLessThanOrEqual(maxLength);
  });
});
