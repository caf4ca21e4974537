import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuzzSeed } from '../../tests/support/fuzz-runs.ts';
import type { ConflictVersion } from './local-record.ts';
import { versionId } from './conflict-version.ts';

const version: ConflictVersion = {
  kind: 'conflict-version',
  collection: 'entries',
  documentId: 'e1',
  petId: 'p1',
  fields: { text: 'Ducks', transcript: 'edited' },
  edits: { text: 2, transcript: 1 },
  reason: 'other-edit',
  side: 'local',
  keptAtMs: 1,
};

describe('the id of a conflict version', () => {
  it('has 96 bits in hexadecimal', () => {
    expect(versionId(version)).toMatch(/^conflict-version:[0-9a-f]{24}$/);
  });

  it('does not depend on when the merge was made, nor on the pet', () => {
    expect(versionId({ ...version, keptAtMs: 2, petId: 'p2' })).toBe(versionId(version));
  });

  it('does not depend on the order of the fields', () => {
    const { fields, edits } = version;
    const reversed = (of: object) => Object.fromEntries(Object.entries(of).toReversed());
    const other = { ...version, fields: reversed(fields), edits: reversed(edits) };
    expect(versionId(other)).toBe(versionId(version));
  });

  it.each<Partial<ConflictVersion>>([
    { collection: 'pets' },
    { documentId: 'e2' },
    { side: 'server' },
    { reason: 'deleted' },
    { fields: { text: 'Ducks' } },
    { fields: { text: 'ducks', transcript: 'edited' } },
    { fields: { text: 'edited', transcript: 'Ducks' } },
    { edits: { text: 1, transcript: 2 } },
    { edits: {} },
  ])('depends on the content: %j', (changes) => {
    expect(versionId({ ...version, ...changes })).not.toBe(versionId(version));
  });

  it('is another one for every other text', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        fc.pre(one !== other);
        const idOf = (text: string): string => versionId({ ...version, fields: { text } });
        expect(idOf(one)).not.toBe(idOf(other));
      }),
      fuzzSeed,
    );
  });

  it('has three parts that do not repeat each other', () => {
    const digits = versionId(version).slice('conflict-version:'.length);
    expect(new Set([digits.slice(0, 8), digits.slice(8, 16), digits.slice(16)]).size).toBe(3);
  });
});
