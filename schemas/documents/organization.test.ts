import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { organizationSchema } from './organization.ts';

const club = { tradingName: 'Gundog Club', memberCount: 12 };
const isValid = (changes: object): boolean =>
  v.safeParse(organizationSchema, { ...club, ...changes }).success;

describe('an organization', () => {
  it('has a name without space around it, and a number of members', () => {
    expect(v.parse(organizationSchema, { ...club, tradingName: ' Gundog Club ' })).toEqual(club);
    expect(isValid({ memberCount: 0 })).toBe(true);
  });

  it.each([
    { tradingName: ' ' },
    { tradingName: undefined },
    { tradingName: 7 },
    { memberCount: -1 },
    { memberCount: 1.5 },
    { memberCount: '12' },
    { memberCount: undefined },
  ])('is refused with %j', (changes) => {
    expect(isValid(changes)).toBe(false);
  });

  it('loses the fields that this version does not know', () => {
    expect(v.parse(organizationSchema, { ...club, kennel: true })).toEqual(club);
  });
});
