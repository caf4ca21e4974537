import { expect, it } from 'vitest';
import { promptFor, whisperLanguage, wordsOf } from './whisper-words.ts';

const spoken = { text: ' We met a duck.', no_speech_prob: 0.03, avg_logprob: -0.2 };
const text = 'the text of all segments';

it('keeps what was said', () => {
  expect(wordsOf({ text: ' A  walk. ' })).toBe('A walk.');
  expect(wordsOf({ text, segments: [spoken, { text: ' It flew.' }] })).toBe(
    'We met a duck. It flew.',
  );
});

it.each([
  { no_speech_prob: 0.95, avg_logprob: -0.3 },
  { no_speech_prob: 0.7, avg_logprob: -1.2 },
  { compression_ratio: 3 },
])('drops a segment with %j, which nobody said', (signs) => {
  const invented = { text: ' Thanks for watching!', ...signs };
  expect(wordsOf({ text, segments: [invented] })).toBe('');
  expect(wordsOf({ text, segments: [spoken, invented] })).toBe('We met a duck.');
});

it.each([
  { no_speech_prob: 0.7, avg_logprob: -0.5 },
  { no_speech_prob: 0.1, avg_logprob: -1.5 },
  { no_speech_prob: null, avg_logprob: null },
])('keeps a segment with %j', (signs) => {
  expect(wordsOf({ text, segments: [{ text: 'A walk.', ...signs }] })).toBe('A walk.');
});

it.each(['[BLANK_AUDIO]', ' (wind blowing) ', '*barks*', '♪ ♪', '[Music] [Applause]'])(
  'hears no words in %s',
  (annotation) => {
    expect(wordsOf({ text: annotation })).toBe('');
    expect(wordsOf({ text: `We ${annotation} met.` })).toBe('We met.');
  },
);

it('knows its own prompt when it comes back, and a name that was really said', () => {
  const prompt = promptFor(['Bramble', 'Vizsla']);
  expect(wordsOf({ text: ` ${prompt.toUpperCase()}` }, prompt)).toBe('');
  expect(wordsOf({ text: 'Bramble!' }, prompt)).toBe('Bramble!');
  expect(promptFor([])).toBe('');
});

it.each([
  ['en-GB', 'en'],
  ['nb-NO', 'no'],
  ['fil-PH', 'tl'],
  ['ga-IE', null],
])('calls the language of %s %s', (tag, language) => {
  expect(whisperLanguage(tag)).toBe(language);
});
