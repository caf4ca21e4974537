import { feedKeyMaxLength } from '../documents/feed-key.ts';
import { documentIdMaxLength } from '../limits.ts';

/**
 * RxDB's JSON schemas. A change to any of them needs an upgrade in `store/indexeddb/layout.ts` and a frozen fixture of
 * the stored data; RxDB's own `version` stays 0.
 */

const id = { type: 'string', maxLength: documentIdMaxLength } as const;
const text = { type: 'string' } as const;
const nullableText = { type: ['string', 'null'] } as const;

const syncProperties = {
  edits: { type: 'object', additionalProperties: true },
  deleted: { type: 'boolean' },
  pending: { type: 'integer', minimum: 0, maximum: 2, multipleOf: 1 },
  seq: { type: ['number', 'null'] },
  base: { type: ['object', 'null'], additionalProperties: true },
  rev: { type: 'integer' },
  code: nullableText,
} as const;

const syncRequired = ['edits', 'deleted', 'pending', 'seq', 'base', 'rev', 'code'] as const;

export const petRxSchema = {
  title: 'pet',
  version: 0,
  primaryKey: 'id',
  type: 'object',
  properties: {
    id,
    ownerId: id,
    name: text,
    breed: text,
    dob: text,
    profilePicturePath: text,
    profilePictureVersion: text,
    description: text,
    ...syncProperties,
  },
  required: ['id', 'ownerId', ...syncRequired],
  indexes: [['pending', 'id']],
} as const;

export const journalEntryRxSchema = {
  title: 'journal entry',
  version: 0,
  primaryKey: 'id',
  type: 'object',
  properties: {
    id,
    petId: id,
    createdBy: id,
    feedKey: { type: 'string', maxLength: feedKeyMaxLength },
    createdDate: { type: 'number' },
    type: text,
    text,
    transcript: text,
    formerTexts: text,
    fileLocation: text,
    contentType: text,
    durationMs: { type: 'number' },
    waveform: text,
    ...syncProperties,
  },
  required: ['id', 'petId', 'createdBy', 'feedKey', ...syncRequired],
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
