import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { contentFieldNames } from '../../schemas/documents/document.ts';
import { journalEntryTypes, transcriptStates } from '../../schemas/documents/entry-kinds.ts';
import { entryFieldsSchema } from '../../schemas/documents/journal-entry.ts';
import {
  breedMaxLength,
  contentTypeMaxLength,
  documentIdMaxLength,
  formerTextsMaxLength,
  noteTextMaxLength,
  petDescriptionMaxLength,
  petNameMaxLength,
  pictureVersionMaxLength,
  waveformLength,
} from '../../schemas/limits.ts';
import { petNameSchema } from '../../schemas/documents/pet.ts';
import { deployedFiles } from '../support/built-app/deployed-files.ts';
import { entryData, petData, useRulesWorld, type Outcome } from '../support/setups/rules-setup.ts';

/**
 * The limits of the schemas and of the rules must agree: a note that a form accepts and the rules refuse would never
 * leave the device.
 */
const world = useRulesWorld();

let documents = 0;

async function pet(field: string, value: unknown): Promise<Outcome> {
  const petId = `p${(documents += 1)}`;
  const data = { ...petData(world().alice.uid, petId), [field]: value };
  return world().alice.push([{ path: `pets/${petId}`, data }]);
}

async function entry(field: string, value: unknown): Promise<Outcome> {
  const petId = `p${(documents += 1)}`;
  const { alice, seed } = world();
  await seed(`pets/${petId}`, petData(alice.uid, petId));
  const data = { ...entryData(alice.uid, petId), [field]: value };
  return alice.push([{ path: `pets/${petId}/journalEntries/e`, data }]);
}

const lengths = [
  ['name of a pet', pet, 'name', petNameMaxLength],
  ['breed', pet, 'breed', breedMaxLength],
  ['profilePictureVersion', pet, 'profilePictureVersion', pictureVersionMaxLength],
  ['description', pet, 'description', petDescriptionMaxLength],
  ['text of an entry', entry, 'text', noteTextMaxLength],
  ['formerTexts', entry, 'formerTexts', formerTextsMaxLength],
  ['contentType', entry, 'contentType', contentTypeMaxLength],
  ['waveform', entry, 'waveform', waveformLength],
] as const;

describe('the lengths of the schemas are those of the rules', () => {
  it.each(lengths)('%s', async (...[, attempt, field, max]) => {
    expect(await attempt(field, 'x'.repeat(max))).toBe('allowed');
    expect(await attempt(field, 'x'.repeat(max + 1))).toBe('denied');
    // The app counts UTF-16 code units, of which this emoji has two.
    expect(await attempt(field, '🐕'.repeat(max / 2))).toBe('allowed');
  });

  it('the rules file contains these lengths and no others', async () => {
    const source = await readFile(deployedFiles.firestoreRules, 'utf8');
    const code = source.replaceAll(/\/\/.*|'[^']*'/g, '');
    const numbers = new Set([...code.matchAll(/(?<![\w.])\d{2,}/g)].map(([each]) => Number(each)));
    const limits = [...lengths.map(([, , , max]) => max), documentIdMaxLength];
    expect([...numbers].toSorted((a, b) => a - b)).toEqual(
      [...new Set(limits)].toSorted((a, b) => a - b),
    );
  });

  it('ids', async () => {
    const { alice } = world();
    const attempt = (length: number) => {
      const id = 'x'.repeat(length);
      return alice.push([{ path: `pets/${id}`, data: petData(alice.uid, id) }]);
    };
    expect(await attempt(documentIdMaxLength)).toBe('allowed');
    expect(await attempt(documentIdMaxLength + 1)).toBe('denied');
  });
});

describe('the choices of the schemas are those of the rules', () => {
  it('types and transcript states', async () => {
    for (const type of journalEntryTypes) expect(await entry('type', type)).toBe('allowed');
    for (const state of transcriptStates) expect(await entry('transcript', state)).toBe('allowed');
    const source = await readFile(deployedFiles.firestoreRules, 'utf8');
    const lists = [...source.matchAll(/in\s+\[([^\]]*)\]/g)].map(([, list = '']) =>
      [...list.matchAll(/'([^']*)'/g)].map(([, each]) => each),
    );
    expect(lists).toEqual([[...journalEntryTypes], [...transcriptStates]]);
  });

  it('a name that the form accepts is accepted with any surrounding blanks', async () => {
    for (const typed of ['  Moss ', '\u00a0Moss\u3000', 'M', '🐕', '<b>Moss</b>', 'ملاك']) {
      expect(await pet('name', v.parse(petNameSchema, typed))).toBe('allowed');
    }
  });

  it('the fields that the engine writes', async () => {
    for (const name of contentFieldNames.pets) {
      const { [name]: value } = petData('x', `p${documents + 1}`);
      expect([name, await pet(name, value)]).toEqual([name, 'allowed']);
    }
    for (const name of contentFieldNames.entries) {
      const { [name]: value } = entryData('x', `p${documents + 1}`);
      expect(value).toBeDefined();
      expect([name, await entry(name, value)]).toEqual([name, 'allowed']);
    }
  });

  it('instants and durations', async () => {
    const { createdDate, durationMs } = entryFieldsSchema.entries;
    for (const at of [0, 1, 1_700_000_000_000]) {
      expect(v.is(createdDate, at)).toBe(true);
      expect(await entry('createdDate', new Date(at))).toBe('allowed');
    }
    for (const duration of [0, 0.5, 30_000]) {
      expect(v.is(durationMs, duration)).toBe(true);
      expect(await entry('durationMs', duration)).toBe('allowed');
    }
    expect([v.is(createdDate, -1), v.is(durationMs, -1)]).toEqual([false, false]);
  });
});
