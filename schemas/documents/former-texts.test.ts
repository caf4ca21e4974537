import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuzzSeed } from '../../tests/support/fuzz-runs.ts';
import { newDocument, withEdit, type LocalDocument } from './document.ts';
import { formerTextsOf, readFormerTexts, uniteFormerTexts } from './former-texts.ts';
import { formerTextsKeptMs, formerTextsMaxLength, noteTextMaxLength } from '../limits.ts';

function entry(fields: Readonly<Record<string, string>>): LocalDocument {
  const identity = { collection: 'entries', id: 'e', ownerId: 'u', petId: 'p' } as const;
  return newDocument(identity, { createdDate: 1_000, type: 'note', ...fields }, 1_000);
}

function formerOf({ fields }: LocalDocument) {
  return readFormerTexts(fields['formerTexts']);
}

const note = entry({ text: 'first' });

describe('an edit', () => {
  it('keeps the text that it replaces, newest first, and stamps the list', () => {
    const edited = withEdit(withEdit(note, { text: 'second' }, 2_000), { text: 'third' }, 3_000);
    expect(formerOf(edited)).toEqual([
      { text: 'second', untilMs: 3_000 },
      { text: 'first', untilMs: 2_000 },
    ]);
    expect(edited.edits['formerTexts']).toBe(3_000);
  });

  it('keeps a text once: what was brought back and replaced again is there as it was last', () => {
    const back = withEdit(withEdit(note, { text: 'second' }, 2_000), { text: 'first' }, 3_000);
    expect(formerOf(withEdit(back, { text: 'third' }, 4_000))).toEqual([
      { text: 'first', untilMs: 4_000 },
      { text: 'second', untilMs: 3_000 },
    ]);
  });

  it('keeps a text that it clears', () => {
    expect(formerOf(withEdit(note, { text: null }, 2_000))).toHaveLength(1);
  });

  it('keeps nothing where no text is replaced', () => {
    expect(withEdit(note, { text: 'first' }, 2_000).fields['formerTexts']).toBeUndefined();
    expect(withEdit(note, { durationMs: 5 }, 2_000).fields['formerTexts']).toBeUndefined();
    const silent = entry({ transcript: 'waiting' });
    expect(withEdit(silent, { text: 'a' }, 2_000).fields['formerTexts']).toBeUndefined();
  });

  it('keeps a person’s words from a machine and the other way round, but no machine’s from a machine', () => {
    const heard = entry({ text: 'heard', transcript: 'done' });
    const corrected = withEdit(heard, { text: 'said', transcript: 'edited' }, 2_000);
    expect(formerOf(corrected)).toEqual([{ text: 'heard', untilMs: 2_000 }]);
    const madeAgain = withEdit(corrected, { text: 'heard again', transcript: 'done' }, 3_000);
    expect(formerOf(madeAgain)[0]).toEqual({ text: 'said', untilMs: 3_000 });
    const machines = withEdit(heard, { text: 'heard again', transcript: 'done' }, 2_000);
    expect(machines.fields['formerTexts']).toBeUndefined();
  });

  it('drops texts older than 30 days, and still records that there was an edit', () => {
    const second = withEdit(note, { text: 'second' }, 2_000);
    const late = 2_000 + formerTextsKeptMs;
    expect(formerOf(withEdit(second, { text: 'third' }, late)).map(({ text }) => text)).toEqual([
      'second',
    ]);
    const { text = '', formerTexts = '' } = second.fields;
    const shown = { text: String(text), formerTexts: String(formerTexts) };
    expect(formerTextsOf(shown, late - 1)).toHaveLength(1);
    expect(formerTextsOf(shown, late)).toEqual([]);
  });

  it('drops no newer text when a wrong clock has stamped another field far ahead', () => {
    const aheadMs = 3_000 + 2 * formerTextsKeptMs;
    const second = withEdit(note, { text: 'second' }, 2_000);
    const ahead = { ...second, edits: { ...second.edits, fileLocation: aheadMs } };
    const texts = formerOf(withEdit(ahead, { text: 'third' }, 3_000)).map(({ text }) => text);
    expect(texts).toEqual(['second', 'first']);
  });

  it('drops the oldest texts if the field is full, whatever the letters', () => {
    let edited = note;
    for (let index = 0; index < 60; index += 1) {
      const text = `${String(index)} ${'"\n\ud83d\udc15'.repeat(noteTextMaxLength)}`;
      edited = withEdit(edited, { text: text.slice(0, noteTextMaxLength) }, 2_000 + index);
    }
    const stored = String(edited.fields['formerTexts']);
    expect(stored.length).toBeLessThanOrEqual(formerTextsMaxLength);
    expect(stored.length).toBeGreaterThan(formerTextsMaxLength - 3 * noteTextMaxLength);
    expect(formerOf(edited)[0]?.untilMs).toBe(2_059);
  });
});

describe('former texts', () => {
  it('of two copies are united alike on every device, and with themselves stay as they are', () => {
    const one = withEdit(withEdit(note, { text: 'a' }, 2_000), { text: 'b' }, 3_000);
    const other = withEdit(withEdit(note, { text: 'c' }, 2_000), { text: 'd' }, 2_500);
    const [mine = '', theirs = ''] = [one.fields['formerTexts'], other.fields['formerTexts']];
    const both = uniteFormerTexts(mine, theirs);
    expect(uniteFormerTexts(theirs, mine)).toBe(both);
    expect(uniteFormerTexts(both, mine)).toBe(both);
    expect(readFormerTexts(both).map(({ text }) => text)).toEqual(['a', 'c', 'first']);
  });

  it.each(['', 'no json', '7', '{"text":"a"}', '[1,null,{"text":1},{"text":"a"}]'])(
    'of a field that cannot be read (%s) are none',
    (stored) => {
      expect(readFormerTexts(stored)).toEqual([]);
    },
  );

  it('that are the text again are not shown', () => {
    const formerTexts = JSON.stringify([
      { text: 'a', untilMs: 5 },
      { text: 'b', untilMs: 4 },
    ]);
    expect(formerTextsOf({ text: 'a', formerTexts }, 6)).toEqual([{ text: 'b', untilMs: 4 }]);
  });
});

describe('any lists of former texts', () => {
  const formerText = fc.record({
    text: fc.constantFrom('a', 'b', 'c', 'd', '"\n🐕'),
    untilMs: fc.integer({ min: 0, max: 4 }),
  });
  const stored = fc.array(formerText, { maxLength: 6 }).map((texts) => JSON.stringify(texts));

  it('are united alike in any order, and stay as they are when united again', () => {
    fc.assert(
      fc.property(stored, stored, stored, (one, other, third) => {
        const both = uniteFormerTexts(one, other);
        expect(uniteFormerTexts(other, one)).toBe(both);
        expect(uniteFormerTexts(both, one)).toBe(both);
        expect(uniteFormerTexts(both, third)).toBe(
          uniteFormerTexts(one, uniteFormerTexts(other, third)),
        );
      }),
      fuzzSeed,
    );
  });

  it('become one that has each text once, as it was replaced last, newest first', () => {
    fc.assert(
      fc.property(stored, stored, (one, other) => {
        const all = [...readFormerTexts(one), ...readFormerTexts(other)];
        const united = readFormerTexts(uniteFormerTexts(one, other));
        expect(united.map(({ text }) => text).toSorted()).toEqual(
          [...new Set(all.map(({ text }) => text))].toSorted(),
        );
        for (const { text, untilMs } of united) {
          const times = all
            .filter((former) => former.text === text)
            .map((former) => former.untilMs);
          expect(untilMs).toBe(Math.max(...times));
        }
        const times = united.map(({ untilMs }) => untilMs);
        expect(times).toEqual(times.toSorted((a, b) => b - a));
      }),
      fuzzSeed,
    );
  });
});

it('an empty text that is replaced is not kept', () => {
  expect(withEdit(entry({ text: '' }), { text: 'a' }, 2_000).fields).not.toHaveProperty(
    'formerTexts',
  );
});
