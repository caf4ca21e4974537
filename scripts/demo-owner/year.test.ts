import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { demoDogs } from './dogs.ts';
import { entriesOf } from './entries.ts';
import { createInstants } from './instants.ts';

const dayMs = 24 * 60 * 60 * 1_000;

/** The first and the last minute of a year, a leap day, and a night in which clocks change. */
const starts = [
  new Date(2026, 0, 1, 0, 0),
  new Date(2026, 11, 31, 23, 59),
  new Date(2028, 1, 29, 8, 59),
  new Date(2027, 2, 28, 3, 0),
  new Date(2026, 6, 15, 12, 30),
];

const yearOf = (now: Date) => demoDogs.flatMap((dog) => entriesOf(dog, createInstants(now)));

const spoken = demoDogs.flatMap((dog) => Object.values(dog.spoken));
const texts = demoDogs.flatMap((dog) => [
  ...Object.values(dog.notes),
  ...Object.values(dog.spoken).map(({ text }) => text),
]);

const bytesOf = async (file: string) => (await stat(join(import.meta.dirname, file))).size;

describe('the year of the demo owner', () => {
  it.each(starts)('has no entry in the future of %s, nor one before the year', (now) => {
    for (const { createdDate } of yearOf(now)) {
      expect(createdDate.getTime()).toBeLessThanOrEqual(now.getTime());
      expect(createdDate.getTime()).toBeGreaterThan(now.getTime() - 367 * dayMs);
    }
  });

  it.each(starts)('has entries in each of the twelve months before %s', (now) => {
    const months = new Set(yearOf(now).map(({ createdDate }) => createdDate.getMonth()));
    expect(months.size).toBe(12);
  });

  it.each(starts)('has notes of a season in their month, seen from %s', (now) => {
    const notes = yearOf(now);
    const monthOf = (words: string) =>
      notes.find(({ content }) => String(content['text']).includes(words))?.createdDate.getMonth();
    expect(monthOf('Snow in the night')).toBe(11);
    expect(monthOf('Bluebells')).toBe(4);
    expect(monthOf('Bonfire night')).toBe(10);
  });

  it.each(starts)(
    'has entries of their own ids, and recordings of their own names, from %s',
    (now) => {
      const entries = yearOf(now);
      expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
      const names = entries.flatMap(({ recording }) => recording?.objectName ?? []);
      expect(new Set(names).size).toBe(6);
    },
  );

  it('tells each thing once, and warmly', () => {
    expect(new Set(texts).size).toBe(texts.length);
    for (const text of texts) expect(text).not.toMatch(/!|lorem|\s$|^\s/);
  });

  it('keeps former texts of notes that there are, and that were edited within the 30 days', () => {
    const now = new Date();
    for (const dog of demoDogs) {
      for (const [when, former] of Object.entries(dog.formerTexts)) {
        expect(dog.notes[when]).not.toBe(former);
        expect(dog.notes).toHaveProperty([when]);
        expect(createInstants(now)(when).getTime()).toBeGreaterThan(now.getTime() - 29 * dayMs);
      }
    }
  });

  it.each(spoken)('has a small recording $file, whose waveform is known', async (note) => {
    expect(await bytesOf(note.file)).toBeLessThanOrEqual(40_000);
    expect(note.durationMs).toBeGreaterThan(4_000);
    expect(note.durationMs).toBeLessThan(12_000);
    expect(note.waveform).toMatch(/^(?=.*f)[0-9a-f]{48}$/);
  });

  it('has small pictures', async () => {
    const pictures = demoDogs.flatMap(({ picture }) => picture ?? []);
    expect(pictures).toHaveLength(2);
    for (const picture of pictures) expect(await bytesOf(picture)).toBeLessThanOrEqual(60_000);
  });
});
