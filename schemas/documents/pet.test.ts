import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { descriptionTooLong, petNameRequired, petNameTooLong } from '../copy/form-copy.ts';
import {
  breedMaxLength,
  documentIdMaxLength,
  petDescriptionMaxLength,
  petNameMaxLength,
  pictureVersionMaxLength,
} from '../limits.ts';
import { contentFieldNames } from './document.ts';
import { documentIdSchema, petFieldsSchema, petNameSchema } from './pet.ts';

const messagesOf = (schema: v.GenericSchema, value: unknown): string[] =>
  v.safeParse(schema, value).issues?.map(({ message }) => message) ?? [];

const isStored = (changes: object): boolean =>
  v.safeParse(petFieldsSchema, { name: 'Bramble', ...changes }).success;

describe('a name', () => {
  it.each(['Rex', 'Å', '李', '7', '🐕', '!', 'x'.repeat(petNameMaxLength)])('can be %j', (name) => {
    expect(v.parse(petNameSchema, name)).toBe(name);
  });

  it('loses the space around it', () => {
    expect(v.parse(petNameSchema, '  Miss Marple\n')).toBe('Miss Marple');
  });

  it.each([
    ['nothing', ''],
    ['spaces', '   '],
    ['characters without a picture', '\u200B\u200D'],
    ['a combining mark alone', '\u0301'],
    ['a number', 7],
    ['null', null],
  ])('cannot be %s', (_, name) => {
    expect(messagesOf(petNameSchema, name)).toEqual([petNameRequired]);
  });

  it('cannot be longer than the limit, counted after trimming', () => {
    const longest = 'x'.repeat(petNameMaxLength);
    expect(messagesOf(petNameSchema, `${longest}x`)).toEqual([petNameTooLong]);
    expect(messagesOf(petNameSchema, ` ${longest} `)).toEqual([]);
  });
});

describe('a document id', () => {
  it('has from one character to those of the longest id of an earlier client', () => {
    const isId = (id: unknown): boolean => v.safeParse(documentIdSchema, id).success;
    expect(isId('x')).toBe(true);
    expect(isId('x'.repeat(documentIdMaxLength))).toBe(true);
    expect(isId('x'.repeat(documentIdMaxLength + 1))).toBe(false);
    expect(isId('')).toBe(false);
    expect(isId(7)).toBe(false);
  });
});

describe('a stored pet', () => {
  it('needs nothing but a name', () => {
    expect(isStored({})).toBe(true);
    expect(isStored({ name: undefined })).toBe(false);
  });

  it('has each other field up to its limit', () => {
    const limits = {
      breed: breedMaxLength,
      description: petDescriptionMaxLength,
      profilePicturePath: 1_024,
      profilePictureVersion: pictureVersionMaxLength,
    };
    for (const [field, limit] of Object.entries(limits)) {
      expect(isStored({ [field]: 'x'.repeat(limit) })).toBe(true);
      expect(isStored({ [field]: 'x'.repeat(limit + 1) })).toBe(false);
      expect(isStored({ [field]: 7 })).toBe(false);
      expect(isStored({ [field]: null })).toBe(false);
    }
  });

  it('says that a description is too long', () => {
    const description = 'x'.repeat(petDescriptionMaxLength + 1);
    expect(messagesOf(petFieldsSchema, { name: 'Bramble', description })).toEqual([
      descriptionTooLong,
    ]);
  });

  it('has a date of birth without a time', () => {
    expect(isStored({ dob: '2020-02-29' })).toBe(true);
    expect(isStored({ dob: '2020-02-29T00:00:00Z' })).toBe(false);
    expect(isStored({ dob: '29.2.2020' })).toBe(false);
  });
});

it('every stored field of a pet belongs to exactly one group of the merge', () => {
  const stored = Object.keys(petFieldsSchema.entries);
  expect(contentFieldNames.pets.toSorted()).toEqual(stored.toSorted());
});
