import { describe, expect, it } from 'vitest';
import { currentLayout, schemasOf } from './layout.ts';
import { booleansOf, dexieSchemaOf, indexesOf, type IndexedSchema } from './indexes.ts';

const schema: IndexedSchema = {
  primaryKey: 'id',
  properties: {
    id: { type: 'string' },
    isOpen: { type: 'boolean' },
    name: { type: 'string' },
    at: { type: 'object', properties: { ms: { type: 'number' }, isExact: { type: 'boolean' } } },
  },
  indexes: [
    'name',
    ['isOpen', 'name'],
    ['isOpen', 'at.ms', 'id'],
    ['at.isExact', 'at.ms'],
    ['isOpen'],
    ['isOpen', 'id'],
    ['_meta.lwt', 'id'],
  ],
};

describe('the indexes of a schema', () => {
  it('have no boolean columns, are each there once, and none is by the key alone', () => {
    expect(indexesOf(schema)).toEqual([
      { name: 'name', columns: ['name'] },
      { name: '[at.ms+id]', columns: ['at.ms', 'id'] },
      { name: 'at.ms', columns: ['at.ms'] },
    ]);
  });

  it('are none if the schema has none', () => {
    const plain = { primaryKey: 'id', properties: {} };
    expect(indexesOf(plain)).toEqual([]);
    expect(dexieSchemaOf(plain)).toBe('id');
  });

  it('are declared after the primary key, which may be a composed one', () => {
    expect(dexieSchemaOf(schema)).toBe('id, name, [at.ms+id], at.ms');
    expect(dexieSchemaOf({ ...schema, primaryKey: { key: 'id' } })).toBe(dexieSchemaOf(schema));
  });

  it('leave out the boolean columns, also nested ones, and always the mark of a deleted row', () => {
    expect(booleansOf(schema)).toEqual(new Set(['_deleted', 'isOpen', 'at.isExact']));
    expect(booleansOf({ primaryKey: 'id', properties: {} })).toEqual(new Set(['_deleted']));
  });
});

it('the stores of an owner have the indexes that screens and sync read', () => {
  const declared = Object.entries(schemasOf(currentLayout)).map(([name, own]) => [
    name,
    dexieSchemaOf(own),
  ]);
  expect(Object.fromEntries(declared)).toMatchObject({
    pets: 'id, [pending+id]',
    journal_entries: 'id, [petId+feedKey], [pending+id]',
    local: 'id, kind',
  });
});
