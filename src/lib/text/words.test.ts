import { expect, it } from 'vitest';
import { markWords, plainWord, wordsIn } from './words.ts';

it('finds words in any script, with their accents and digits', () => {
  expect(wordsIn('Café, 2 ducks; don’t! مشى 🐕')).toEqual([
    'Café',
    '2',
    'ducks',
    'don',
    't',
    'مشى',
    '🐕',
  ]);
  expect(wordsIn('Cafe\u0301')).toEqual(['Cafe\u0301']);
  expect(wordsIn(' “”… ')).toEqual([]);
});

it('takes each emoji for a word, joined or not', () => {
  const emoji = ['🐕', '🐕', '🐕‍🦺', '👍🏽', '❤️', '🏃🏽‍♀️', '🇬🇧', '🇮🇪', '1️⃣'];
  expect(wordsIn(`${emoji.join('')} \u200D🏽`)).toEqual(emoji);
});

it('compares words without accents, capitals and skin tones', () => {
  expect(['CAFÉ', 'cafe\u0301', 'Cafe'].map(plainWord)).toEqual(['cafe', 'cafe', 'cafe']);
  expect(['👍🏽', '👍', '❤️', '❤'].map(plainWord)).toEqual(['👍', '👍', '❤', '❤']);
});

it('marks the words that were found, as they are written, and loses nothing between them', () => {
  const text = '“Café” by the café.';
  const parts = markWords(text, new Set(['cafe']));
  expect(parts.filter(({ isMarked }) => isMarked).map((part) => part.text)).toEqual([
    'Café',
    'café',
  ]);
  expect(parts.map((part) => part.text).join('')).toBe(text);
  expect(markWords('Good👍🏽dog', new Set(['👍']))[1]).toEqual({ text: '👍🏽', isMarked: true });
  expect(markWords('', new Set())).toEqual([]);
});
