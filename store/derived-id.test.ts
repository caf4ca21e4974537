import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { derivedId } from './derived-id.ts';

describe('a derived id', () => {
  it('has the form of an id, and is the same each time', async () => {
    const id = await derivedId('e1');
    expect(id).toMatch(/^[0-9a-f]{20}$/);
    expect(await derivedId('e1')).toBe(id);
    expect(await derivedId('e2')).not.toBe(id);
  });

  it('is the first ten bytes of the hash, each with two digits', async () => {
    for (const source of ['e1', 'e2', 'é']) {
      const hash = createHash('sha256').update(source).digest('hex');
      expect(await derivedId(source)).toBe(hash.slice(0, 20));
    }
  });
});
