import { expect, it } from 'vitest';
import { firstLanguage, hintsFor } from './hints.ts';

const pet = { ownerId: 'alice', name: 'Bramble', breed: 'Vizsla' };

it.each([
  [['de-AT'], 'de-AT'],
  [['de'], 'de-DE'],
  [['en'], 'en-GB'],
  [['en-US'], 'en-US'],
  [['pt'], 'pt-BR'],
  [['zh-Hant'], 'zh-TW'],
  [[null, 'cy'], 'cy-GB'],
  [['*', 'fr'], 'fr-FR'],
  [['not a language', ''], 'en-GB'],
  [['xx-invalid-$'], 'en-GB'],
  [[], 'en-GB'],
])('of %j the language is %s', (languages, language) => {
  expect(hintsFor(pet, languages).language).toBe(language);
});

it('the first of the languages that a browser names counts', () => {
  expect(firstLanguage('de-AT, de;q=0.9, en;q=0.8')).toBe('de-AT');
  expect(firstLanguage('fr;q=0.9')).toBe('fr');
  expect(firstLanguage(null)).toBeNull();
});

it('a missing name or breed is no hint', () => {
  expect(hintsFor(pet, []).phrases).toEqual(['Bramble', 'Vizsla']);
  expect(hintsFor({ ...pet, name: ' ', breed: null }, []).phrases).toEqual([]);
});
