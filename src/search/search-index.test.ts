import { describe, expect, it } from 'vitest';
import { feedKey } from '../../schemas/documents/feed-key.ts';
import type { SearchableEntry } from '../../store/search-store.ts';
import { createSearchIndex, type SearchIndex } from './search-index.ts';

function entry(id: string, text: string, part: Partial<SearchableEntry> = {}): SearchableEntry {
  const row = { id, petId: 'bramble', text, type: 'note', deleted: false, _rev: '1' };
  return { ...row, feedKey: feedKey(Number(id.replace(/\D/gu, '')), id), ...part };
}

const entries = [
  entry('e1', 'Swam across the Café pond, twice.'),
  entry('e2', 'A pheasant in the hedge', { petId: 'moss' }),
  entry('e3', 'Ponderous about the bath', { type: 'voice-note' }),
  entry('e4', 'Nothing. 🐕', { petId: 'moss' }),
  entry('e5', 'Good🐕‍🦺👍🏽', { petId: 'heath' }),
];

const pets = [
  { id: 'bramble', name: 'Bramble' },
  { id: 'moss', name: 'Moss of the Fen' },
];

const anything = { petId: null, type: null, pets };

function idsFor(words: string, index = filled(), where = {}): readonly string[] {
  return index.find({ ...anything, words, ...where }).ids;
}

function filled(json: string | null = null): SearchIndex {
  const index = createSearchIndex(json);
  index.update(entries);
  return index;
}

describe('a search', () => {
  it.each([
    ['the first letter of a word that is typed', 'ברווזים באגם', 'ברווזים ב'],
    ['the first letter of a word that is typed', 'البط حول البركة', 'البط ح'],
    ['the first letter of a word that is typed', 'बत्तख गहरे पानी में', 'बत्तख ग'],
    ['the first letter of a syllable that is typed', '오리를 그렸다', '오리를 ㄱ'],
  ])('takes %s for no word, in scripts without small letters', (_, text, words) => {
    const index = createSearchIndex(null);
    index.update([entry('e1', text)]);
    expect(idsFor(words, index)).toEqual(['e1']);
  });

  it.each([
    ['今日は公園で犬と遊んだ', '公園 猫'],
    ['今日は公園で犬と遊んだ', '公園猫'],
    ['鸭子在池塘里', '鸭子 狗'],
    ['오리를 그렸다', '오리를 물'],
    ['เป็ดในบึง', 'เป็ด น'],
  ])(
    'finds nothing for two words of which one is missing, in a script whose words may have one letter: in %j, %j',
    (text, words) => {
      const index = createSearchIndex(null);
      index.update([entry('e1', text)]);
      expect(idsFor(words, index)).toEqual([]);
    },
  );

  it.each([
    ['pond', ['e3', 'e1'], 'the beginning of a word, newest first'],
    ['POND ac', ['e1'], 'all words, whatever their letters'],
    ['pond h', ['e3', 'e1'], 'without the first letter of a word that is still typed'],
    ['pond h ', [], 'with a letter that is a word'],
    ['pond 5', [], 'with a digit, which is a word'],
    ['pond H', [], 'with a capital, which is a word'],
    ['cafe', ['e1'], 'words with accents'],
    ['CAFÉ', ['e1'], 'words by letters with accents'],
    ['phaesant', ['e2'], 'words in which two letters changed places'],
    ['podn', ['e3', 'e1'], 'also in a short word'],
    ['opnd twcie', ['e1'], 'also in two words'],
    ['opdn', [], 'not where two pairs of letters did'],
    ['hege', ['e2'], 'words of which a letter is missing'],
    ['ond', [], 'not the middle of a word'],
    ['p', [], 'not what begins with one letter'],
    ['a', ['e2'], 'a word of one letter'],
    ['', [], 'nothing for nothing'],
    [' , "', [], 'nothing for what is no word'],
    ['🐕', ['e5', 'e4'], 'an emoji, also as the beginning of a joined one'],
    ['🐕‍🦺', ['e5'], 'a joined emoji'],
    ['good 👍🏻', ['e5'], 'an emoji of any skin tone'],
    ['bramble', ['e3', 'e1'], 'the entries of a dog'],
    ['fen hedge', ['e2'], 'words of the entries of a dog'],
    ['bramble hedge', [], 'no words of the entries of another dog'],
  ])('for %j finds %j: %s', (words, ids) => {
    expect(idsFor(words)).toEqual(ids);
  });

  it.each([
    ['今日は公園で犬と遊んだ', '公園', 'a word that no space begins'],
    ['今日は公園で犬と遊んだ', '遊んだ 公園', 'words of more than one part'],
    ['วันนี้ไปสวนกับหมา', 'สวน', 'a word between letters with marks'],
    ['Ὁ ὁδοστρωτήρας', 'ΟΔΟΣ', 'the beginning of a word, by a letter that would end one'],
    ['Weißdorn', 'WEISS', 'a small letter by its two capitals'],
  ])('in %j finds %j: %s', (text, words) => {
    const index = createSearchIndex(null);
    index.update([entry('e6', text)]);
    expect(idsFor(words, index)).toEqual(['e6']);
  });

  it.each([
    ['今日は散歩した', 'おはよう'],
    ['ラン が好き', 'ドッグラン'],
  ])('in %j finds no %j, whose exchanged letters read as several words', (text, words) => {
    const index = createSearchIndex(null);
    index.update([entry('e6', text)]);
    expect(idsFor(words, index)).toEqual([]);
  });

  it('finds an entry of a dog that names another, or a word that begins as its name', () => {
    const index = filled();
    index.update([entry('e7', 'Played with Moss, who fended for herself')]);
    expect(idsFor('bramble moss', index)).toEqual(['e7']);
    expect(idsFor('bramble fen', index)).toEqual(['e7']);
    expect(idsFor('moss fen', index)).toEqual(['e7', 'e4', 'e2']);
  });

  it('looks for typing errors in words of up to 40 letters', () => {
    const index = createSearchIndex(null);
    index.update([entry('e5', 'a'.repeat(41)), entry('e6', 'b'.repeat(42))]);
    expect(idsFor(`${'a'.repeat(39)}o`, index)).toEqual(['e5']);
    expect(idsFor(`${'b'.repeat(40)}o`, index)).toEqual([]);
  });

  it('keeps to a dog and a kind', () => {
    expect(idsFor('pond', filled(), { type: 'note' })).toEqual(['e1']);
    expect(idsFor('pond', filled(), { petId: 'moss' })).toEqual([]);
    expect(idsFor('moss', filled(), { petId: 'bramble' })).toEqual([]);
  });

  it('prefers exact matches to similar ones', () => {
    const index = filled();
    index.update([entry('e9', 'A peasant in the hedge')]);
    expect(idsFor('pheasant', index)).toEqual(['e2']);
    expect(idsFor('pheasantt', index)).toContain('e2');
  });

  it('says by which words an entry was found', () => {
    const { wordsOf } = filled().find({ ...anything, words: 'cafe po' });
    expect(wordsOf('e1').toSorted()).toEqual(['CAFE', 'POND']);
  });
});

describe('an index', () => {
  it('applies edits, deletions and removals, and skips known revisions', () => {
    const index = filled();
    expect(index.update(entries)).toBe(0);
    expect(index.update([entry('e1', 'Swam in the river', { _rev: '2' })])).toBe(1);
    expect([idsFor('cafe', index), idsFor('river', index)]).toEqual([[], ['e1']]);
    const tombstone = entry('e1', '', { _rev: '3', deleted: true });
    expect([index.update([tombstone]), index.update([tombstone])]).toEqual([1, 0]);
    expect(idsFor('river', index)).toEqual([]);
    expect(index.retain(new Set(['e1', 'e3', 'e4', 'e5']))).toBe(1);
    expect(idsFor('pheasant', index)).toEqual([]);
  });

  it('is restored from its JSON, with its known revisions', () => {
    const again = createSearchIndex(filled().toJson());
    expect(again.update(entries)).toBe(0);
    expect(idsFor('pond', again)).toEqual(['e3', 'e1']);
  });

  it.each([
    '',
    '{}',
    '{"version":0,"revisions":{},"index":"{}"}',
    '{"version":4,"revisions":{},"index":"x"}',
    // The former tokenization had no emoji.
    createSearchIndex(null)
      .toJson()
      .replace(/"version":\d+,"revisions":\{\}/, '"version":1,"revisions":{"e3":"1"}'),
  ])('that cannot be read (%s) is rebuilt', (json) => {
    expect(idsFor('pond', filled(json))).toEqual(['e3', 'e1']);
  });
});
