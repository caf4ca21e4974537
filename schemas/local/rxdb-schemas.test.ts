import { describe, expect, it } from 'vitest';
import { contentFieldNames, newDocument, toEntryRow, toPetRow } from '../documents/document.ts';
import { feedKey } from '../documents/feed-key.ts';
import { documentIdMaxLength } from '../limits.ts';
import { deletePetJobId, placeFileJobId, removeFileJobId, sweepPetJobId } from './local-record.ts';
import { pictureJobId } from './outbox-job.ts';
import { journalEntryRxSchema, localRecordRxSchema, petRxSchema } from './rxdb-schemas.ts';
import { voiceNoteJobId } from '../documents/voice-note.ts';

const longestId = 'x'.repeat(documentIdMaxLength);
const identity = { id: 'x', ownerId: 'u1' };
const petRow = toPetRow(
  newDocument({ ...identity, collection: 'pets', petId: null }, { name: 'Bramble' }, 1),
);
const entryRow = toEntryRow(
  newDocument({ ...identity, collection: 'entries', petId: 'p1' }, { text: 'Ducks' }, 1),
);

describe.each([
  { schema: petRxSchema, row: petRow, content: contentFieldNames.pets },
  { schema: journalEntryRxSchema, row: entryRow, content: contentFieldNames.entries },
])('the schema of a $schema.title', ({ schema, row, content }) => {
  it('has a property for each field of content, and no other optional one', () => {
    const required = new Set<string>(schema.required);
    const optional = Object.keys(schema.properties).filter((name) => !required.has(name));
    expect(optional.toSorted()).toEqual([...content].toSorted());
  });

  it('requires what every row has', () => {
    for (const name of schema.required) expect(row).toHaveProperty(name);
    expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining(Object.keys(row)));
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
