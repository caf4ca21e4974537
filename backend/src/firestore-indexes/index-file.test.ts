import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../tests/support/temp-folder.ts';
import { parseIndexes, readIndexes } from './index-file.ts';

const field = { fieldPath: 'a', order: 'ASCENDING' };
const index = (more: object = {}) => ({
  collectionGroup: 'dogs',
  queryScope: 'COLLECTION',
  fields: [field, { fieldPath: 'b', arrayConfig: 'CONTAINS' }],
  ...more,
});
const override = (more: object = {}) => ({
  collectionGroup: 'dogs',
  fieldPath: 'a',
  indexes: [{ queryScope: 'COLLECTION_GROUP', order: 'DESCENDING' }],
  ...more,
});

describe('the index file', () => {
  it('is read as it is deployed', () => {
    const file = {
      indexes: [index({ density: 'SPARSE_ALL' })],
      fieldOverrides: [override({ ttl: false })],
    };
    expect(parseIndexes(JSON.stringify(file), 'f')).toEqual({
      indexes: [
        { ...file.indexes[0], fields: ['a ASCENDING', 'b CONTAINS', '__name__ ASCENDING'] },
      ],
      fieldOverrides: [
        {
          ...file.fieldOverrides[0],
          indexes: [{ mode: 'DESCENDING', queryScope: 'COLLECTION_GROUP' }],
        },
      ],
    });
    expect(parseIndexes('{}', 'f')).toEqual({ indexes: [], fieldOverrides: [] });
    const both = [{ fieldPath: 'b', arrayConfig: 'CONTAINS' }, field, { ...field, fieldPath: 'b' }];
    const { indexes } = parseIndexes(JSON.stringify({ indexes: [index({ fields: both })] }), 'f');
    expect(indexes[0]?.fields).toEqual([
      'b CONTAINS',
      'a ASCENDING',
      'b ASCENDING',
      '__name__ ASCENDING',
    ]);
  });

  it.each<[string, unknown, RegExp]>([
    ['an unknown key', { indices: [] }, /^f: indices: /],
    ['an unknown key of an index', { indexes: [index({ unique: true })] }, /indexes\.0\.unique/],
    ['no list', { indexes: {} }, /^f: indexes: /],
    ['no scope', { indexes: [index({ queryScope: 'ALL' })] }, /indexes\.0\.queryScope/],
    ['one field', { indexes: [index({ fields: [field] })] }, /at least two fields/],
    [
      'a vector',
      { indexes: [index({ fields: [field, { fieldPath: 'v', vectorConfig: { dimension: 2 } }] })] },
      /indexes\.0\.fields\.1/,
    ],
    [
      'an order and elements',
      {
        indexes: [
          index({ fields: [field, { ...field, fieldPath: 'b', arrayConfig: 'CONTAINS' }] }),
        ],
      },
      /indexes\.0\.fields\.1/,
    ],
    ['all fields', { fieldOverrides: [override({ fieldPath: '*' })] }, /not supported/],
    [
      'an override without indexes',
      { fieldOverrides: [override({ indexes: undefined })] },
      /indexes/,
    ],
  ])('%s is one sentence that names the file and the place', (_, file, sentence) => {
    expect(() => parseIndexes(JSON.stringify(file), 'f')).toThrow(sentence);
  });

  it('text that is no JSON, and a file that is not there, are told so', async () => {
    expect(() => parseIndexes('{', 'f')).toThrow('f: This is not JSON.');
    const file = join(await tempFolder(), 'none.json');
    await expect(readIndexes(file)).rejects.toThrow(`${file}: This file cannot be read.`);
  });
});
