import type { EntryRow, PetRow } from '../../../schemas/document.ts';
import type { OutboxJob } from '../../../schemas/outbox-job.ts';
import type { Fields } from '../../../schemas/sync-state.ts';
import type { NamedPet } from '../../data/queries.ts';

const previewLength = 120;

export function preview(text: string): string {
  return text.length > previewLength ? `${text.slice(0, previewLength).trimEnd()}…` : text;
}

export function entryText({ deleted, text, type }: EntryRow): string {
  if (deleted) return 'A deleted entry';
  if (text !== undefined && text !== '') return text;
  return type === 'voice-note' ? 'A voice note' : 'An entry without text';
}

export function petText({ deleted, name }: PetRow): string {
  if (deleted) return 'A deleted dog';
  return name === undefined ? 'A dog without a name' : `The dog ${name}`;
}

/** @param pets the dogs there are. */
export function fileText({ kind, petId }: OutboxJob, pets: readonly NamedPet[]): string {
  const what = kind === 'voice-note' ? 'A voice note' : 'A picture';
  const pet = pets.find(({ id }) => id === petId);
  return pet === undefined ? what : `${what} of ${pet.name}`;
}

/** What a kept version said, its longest words first of all. */
export function fieldsText({ text, ...others }: Fields): string {
  if (typeof text === 'string') return text;
  const facts = ['name', 'breed', 'dob', 'description'].flatMap((name) => {
    const value = others[name];
    return value === undefined ? [] : [String(value)];
  });
  return facts.length > 0 ? facts.join(', ') : 'A version without text';
}

const reasons: Readonly<Record<string, string>> = {
  'pet-deleted': 'Its dog was deleted on another device.',
  'newer-schema': 'It was written by a newer version of PawPals.',
  'too-large': 'It is too large for the server.',
};

const refusedPrefix = 'refused:';

/** Why the server does not have a parked change. */
export function parkedReason(code: string | null): string {
  const known = reasons[code ?? ''];
  if (known !== undefined) return known;
  const isRefused = code?.startsWith(refusedPrefix) === true;
  const detail = isRefused ? ` (${code.slice(refusedPrefix.length)})` : '';
  return `The server refused it${detail}. It is kept here.`;
}
