import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { descriptionTooLong, petNameTooLong } from '../copy/form-copy.ts';
import { petDescriptionMaxLength, petNameMaxLength } from '../limits.ts';
import { breeds } from './breeds.ts';
import {
  breedNotListed,
  breedRequired,
  breedSchema,
  dobInFuture,
  dobNoDate,
  dobRequired,
  dobSchema,
  dobTooEarly,
  petChangesSchema,
} from './pet-edit.ts';

const today = '2026-11-21';

function messageOf(result: {
  readonly issues?: readonly { readonly message: string }[] | undefined;
}) {
  return result.issues?.[0]?.message;
}

describe('a breed', () => {
  it('is one of the list, by its label', () => {
    for (const { label } of breeds) expect(v.parse(breedSchema, ` ${label} `)).toBe(label);
  });

  it.each([
    ['', breedRequired],
    ['  ', breedRequired],
    ['vizsla', breedNotListed],
    ['<b>Vizsla</b>', breedNotListed],
    ['x'.repeat(10_000), breedNotListed],
  ])('is not %j', (breed, message) => {
    expect(messageOf(v.safeParse(breedSchema, breed))).toBe(message);
  });
});

describe('a date of birth', () => {
  it.each(['1900-01-01', '2024-02-29', today])('can be %s', (date) => {
    expect(v.parse(dobSchema(today), date)).toBe(date);
  });

  it.each([
    ['', dobRequired],
    ['soon', dobNoDate],
    ['2025-02-29', dobNoDate],
    ['12026-01-01', dobNoDate],
    ['0001-01-01', dobTooEarly],
    ['1899-12-31', dobTooEarly],
    ['2026-11-22', dobInFuture],
  ])('is not %j', (date, message) => {
    expect(messageOf(v.safeParse(dobSchema(today), date))).toBe(message);
  });
});

it('changes clear a field with null, and leave out what stays', () => {
  const schema = petChangesSchema(today);
  expect(v.parse(schema, { breed: null, description: ' Likes water ' })).toEqual({
    breed: null,
    description: 'Likes water',
  });
  expect(v.safeParse(schema, { name: ' ' }).success).toBe(false);
});

describe('changes of a pet', () => {
  const schema = petChangesSchema(today);

  it('may be none', () => {
    expect(v.parse(schema, {})).toEqual({});
  });

  it('can clear everything but the name', () => {
    const cleared = { breed: null, dob: null, description: null };
    expect(v.parse(schema, cleared)).toEqual(cleared);
    expect(v.safeParse(schema, { name: null }).success).toBe(false);
  });

  it('set no field to undefined', () => {
    for (const field of ['name', 'breed', 'dob', 'description'])
      expect(v.safeParse(schema, { [field]: undefined }).success).toBe(false);
  });

  it('are checked as in the form', () => {
    expect(messageOf(v.safeParse(schema, { dob: '2026-11-22' }))).toBe(dobInFuture);
    expect(messageOf(v.safeParse(schema, { breed: 'Dragon' }))).toBe(breedNotListed);
    expect(messageOf(v.safeParse(schema, { name: 'x'.repeat(petNameMaxLength + 1) }))).toBe(
      petNameTooLong,
    );
    const description = 'x'.repeat(petDescriptionMaxLength);
    expect(v.safeParse(schema, { description: ` ${description} ` }).success).toBe(true);
    expect(messageOf(v.safeParse(schema, { description: `${description}x` }))).toBe(
      descriptionTooLong,
    );
  });
});

it('a missing breed or date is asked for', () => {
  expect(messageOf(v.safeParse(breedSchema, undefined))).toBe(breedRequired);
  expect(messageOf(v.safeParse(dobSchema(today), undefined))).toBe(dobRequired);
});
