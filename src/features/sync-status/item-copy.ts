import type { Entry, Pet } from '../../../schemas/documents/document.ts';
import type { ConflictVersion } from '../../../schemas/local/local-record.ts';
import type { OutboxJob } from '../../../schemas/local/outbox-job.ts';
import type { FieldValue } from '../../../schemas/documents/sync-state.ts';
import type { NamedPet } from '../../data/queries/queries.ts';
import { entryTimeText } from '../../lib/dates/entry-time-text.ts';

export function entryText({ deleted, fields: { text, type } }: Entry): string {
  if (deleted) return 'A deleted entry';
  if (text !== undefined && text !== '') return text;
  return type === 'voice-note' ? 'A voice note' : 'An entry without text';
}

export function petText({ deleted, fields: { name } }: Pet): string {
  if (deleted) return 'A deleted dog';
  return name === undefined ? 'A dog without a name' : `The dog ${name}`;
}

/** Describes a file. @param pets all dogs of the owner. */
export function fileText({ kind, petId }: OutboxJob, pets: readonly NamedPet[]): string {
  const what = kind === 'voice-note' ? 'A voice note' : 'A picture';
  const pet = pets.find(({ id }) => id === petId);
  return pet === undefined ? what : `${what} of ${pet.fields.name}`;
}

const fieldLabels: Readonly<Record<string, string>> = {
  name: 'Name',
  breed: 'Breed',
  dob: 'Date of birth',
  description: 'Description',
};

const longDate = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** Formats a date. @param value a calendar date, or any text that an earlier client has stored. */
function dateText(value: string): string {
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? value : longDate.format(ms);
}

function fieldText(name: string, value: FieldValue | undefined): readonly string[] {
  const label = fieldLabels[name];
  if (label === undefined) return [];
  if (value === undefined) return [`${label}: none`];
  return [`${label}: ${name === 'dob' ? dateText(String(value)) : String(value)}`];
}

/** Returns the text of a conflict version. A field that has a stamp but no value was cleared. */
export function versionText({ fields, edits }: Pick<ConflictVersion, 'fields' | 'edits'>): string {
  const { text } = fields;
  if (typeof text === 'string' && text !== '') return text;
  const names = Object.keys({ ...fields, ...edits });
  const facts = Object.keys(fieldLabels)
    .filter((name) => names.includes(name))
    .flatMap((name) => fieldText(name, fields[name]));
  if (names.includes('profilePictureVersion')) facts.push('Another picture');
  return facts.length > 0 ? facts.join('\n') : 'A version without text';
}

/**
 * Returns the dog and the time of an entry, as far as they are known. The name is isolated: a number after one that is
 * written from right to left would be drawn before it.
 */
export function whereabouts(
  { petId, fields: { createdDate } }: Pick<Entry, 'petId' | 'fields'>,
  pets: readonly NamedPet[],
  nowMs: number,
): string {
  const name = pets.find(({ id }) => id === petId)?.fields.name;
  const parts = [
    name && `\u2068${name}\u2069`,
    createdDate === undefined ? undefined : entryTimeText(createdDate, nowMs),
  ];
  return parts.filter((part) => part !== undefined).join(' · ');
}

export const doneTexts = {
  retry: 'It is tried again.',
  retryAll: 'They are tried again.',
  discard: 'Discarded.',
  restore: 'Restored.',
};

export function movedText({ fields: { name } }: NamedPet): string {
  return `Moved to ${name}.`;
}

const reasons: Readonly<Record<string, string>> = {
  'pet-deleted': 'Its dog was deleted on another device.',
  'newer-schema': 'It was written by a newer version of PawPals.',
  'too-large': 'It is too large for the server.',
};

const refusedPrefix = 'refused:';

/** Returns the reason why the server does not have a parked change. */
export function parkedReason(code: string | null): string {
  const known = reasons[code ?? ''];
  if (known !== undefined) return known;
  const isRefused = code?.startsWith(refusedPrefix) === true;
  const detail = isRefused ? ` (${code.slice(refusedPrefix.length)})` : '';
  return `The server refused it${detail}. It is kept here.`;
}

export const waitsForPet = 'It waits for its dog, which could not be sent.';
