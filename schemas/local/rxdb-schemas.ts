import { feedKeyMaxLength } from '../documents/feed-key.ts';
import { documentIdMaxLength } from '../limits.ts';

/**
 * RxDB's JSON schemas. A change to any of them needs an upgrade in `store/indexeddb/layout.ts` and a frozen fixture of
 * the stored data; RxDB's own `version` stays 0.
 */

const id = { type: 'string', maxLength: documentIdMaxLength } as const;
const nullableText = { type: ['string', 'null'] } as const;

const documentProperties = {
  id,
  ownerId: id,
  fields: { type: 'object', additionalProperties: true },
  edits: { type: 'object', additionalProperties: true },
  deleted: { type: 'boolean' },
  pending: { type: 'integer', minimum: 0, maximum: 2, multipleOf: 1 },
  seq: { type: ['number', 'null'] },
  base: { type: ['object', 'null'], additionalProperties: true },
  rev: { type: 'integer' },
  code: nullableText,
} as const;

const required = [
  'id',
  'ownerId',
  'petId',
  'fields',
  'edits',
  'deleted',
  'pending',
  'seq',
  'base',
  'rev',
  'code',
] as const;

export const petRxSchema = {
  title: 'pet',
  version: 0,
  primaryKey: 'id',
  type: 'object',
  properties: { ...documentProperties, petId: { type: 'null' } },
  required,
  indexes: [['pending', 'id']],
} as const;

export const journalEntryRxSchema = {
  title: 'journal entry',
  version: 0,
  primaryKey: 'id',
  type: 'object',
  properties: {
    ...documentProperties,
    petId: id,
    feedKey: { type: 'string', maxLength: feedKeyMaxLength },
  },
  required: [...required, 'feedKey'],
  indexes: [
    ['petId', 'deleted', 'feedKey'],
    ['pending', 'id'],
  ],
} as const;

/** The checkpoint, conflict versions and jobs: small records that never leave this device. */
export const localRecordRxSchema = {
  title: 'local record',
  version: 0,
  primaryKey: 'id',
  type: 'object',
  properties: {
    // The length includes a job's prefix before the longest document id.
    id: { type: 'string', maxLength: documentIdMaxLength + 32 },
    kind: { type: 'string', maxLength: 32 },
    data: { type: 'object', additionalProperties: true },
  },
  required: ['id', 'kind', 'data'],
  indexes: ['kind'],
} as const;
