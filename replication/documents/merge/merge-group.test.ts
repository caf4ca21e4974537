import { describe, expect, it } from 'vitest';
import { withEdit } from '../../../schemas/documents/document.ts';
import { clean, newPet, onServer } from '../../../tests/support/fixtures/sync-documents.ts';
import { mergeRemote } from './merge.ts';

const nowMs = 9_000;
const origin = clean(newPet('p1', { name: 'Rex', breed: 'Vizsla', description: 'shy' }), 3);

describe('merging a value that was typed back', () => {
  it.each([
    ['name', 'Rex'],
    ['description', 'shy'],
  ])(
    'D5.1 keeps a %s that was typed back, though the server has what this device sent in between',
    (name, value) => {
      const between = withEdit(origin, { [name]: 'between' }, 2_000);
      const server = onServer(between, 5);
      const local = withEdit(between, { [name]: value }, 2_001);
      const { document, versions } = mergeRemote(local, server, nowMs);
      expect(document.fields[name]).toBe(value);
      expect(document).toMatchObject({ pending: 1, seq: 5, base: { fields: server.fields } });
      expect(versions).toMatchObject([{ side: 'server', fields: { [name]: 'between' } }]);
    },
  );

  it('D5.1 keeps a field that was filled and cleared again, though the server has it filled', () => {
    const bare = clean(newPet('p1', { name: 'Rex' }), 3);
    const between = withEdit(bare, { description: 'between' }, 2_000);
    const local = withEdit(between, { description: null }, 2_001);
    const { document } = mergeRemote(local, onServer(between, 5), nowMs);
    expect(document.fields).toEqual({ name: 'Rex' });
    expect(document).toMatchObject({ pending: 1, edits: { description: 2_001 } });
  });

  it('D5.1 takes a later change of the server over a value that was typed back, and keeps no version', () => {
    const typed = withEdit(withEdit(origin, { name: 'Max' }, 2_000), { name: 'Rex' }, 2_001);
    const server = onServer(withEdit(origin, { name: 'Moss' }, 2_002), 5);
    const { document, versions } = mergeRemote(typed, server, nowMs);
    expect(document.fields['name']).toBe('Moss');
    expect(document.pending).toBe(0);
    expect(versions).toEqual([]);
  });
});
