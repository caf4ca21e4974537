import { expect, it, onTestFinished, vi } from 'vitest';
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

it('finds and marks the words of a script without spaces', () => {
  expect(wordsIn('今日は公園、3匹')).toEqual(['今日', 'は', '公園', '3', '匹']);
  expect(markWords('今日は公園で', new Set(['公園'])).map((part) => part.text)).toEqual([
    '今日は',
    '公園',
    'で',
  ]);
});

it('takes a run of letters for a word in a browser that cannot split it', async () => {
  vi.resetModules();
  vi.stubGlobal('Intl', {});
  onTestFinished(() => void vi.unstubAllGlobals());
  const older = await import('./words.ts');
  expect(older.wordsIn('今日は公園、park')).toEqual(['今日は公園', 'park']);
});

it('compares words without accents, capitals and skin tones', () => {
  expect(['CAFÉ', 'cafe\u0301', 'Cafe'].map(plainWord)).toEqual(['CAFE', 'CAFE', 'CAFE']);
  expect(['ΟΔΟΣ', 'οδος', 'οδοσ'].map(plainWord)).toEqual(['ΟΔΟΣ', 'ΟΔΟΣ', 'ΟΔΟΣ']);
  expect(['👍🏽', '👍', '❤️', '❤'].map(plainWord)).toEqual(['👍', '👍', '❤', '❤']);
});

it('marks the words that were found, as they are written, and loses nothing between them', () => {
  const text = '“Café” by the café.';
  const parts = markWords(text, new Set(['CAFE']));
  expect(parts.filter(({ isMarked }) => isMarked).map((part) => part.text)).toEqual([
    'Café',
    'café',
  ]);
  expect(parts.map((part) => part.text).join('')).toBe(text);
  expect(markWords('Good👍🏽dog', new Set(['👍']))[1]).toEqual({ text: '👍🏽', isMarked: true });
  expect(markWords('', new Set())).toEqual([]);
});
