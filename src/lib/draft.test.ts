import { afterEach, describe, expect, it, vi } from 'vitest';
import { writeInOtherTab } from '../../tests/support/fakes/other-tab.ts';
import { draftNames, eraseDrafts, readDraft, watchDraft, writeDraft } from './draft.ts';

const place = { owner: 'ann', name: 'bramble' };

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a draft', () => {
  it('is there again, for its owner and place only', () => {
    writeDraft(place, 'half a thought');
    expect(readDraft(place)).toBe('half a thought');
    expect(readDraft({ ...place, name: 'juno' })).toBe('');
    expect(readDraft({ ...place, owner: 'ben' })).toBe('');
  });

  it('leaves nothing behind when it is empty', () => {
    writeDraft(place, 'half a thought');
    writeDraft(place, '');
    expect(localStorage).toHaveLength(0);
  });

  it("is erased with its owner's data only", () => {
    writeDraft(place, 'mine');
    writeDraft({ owner: 'ben', name: 'bramble' }, 'his');
    eraseDrafts('ann');
    expect(readDraft(place)).toBe('');
    expect(readDraft({ owner: 'ben', name: 'bramble' })).toBe('his');
  });

  it('is erased with those of its place, and no other', () => {
    const names = ['bramble', 'bramble.add-note', 'bramble.sending.one', 'brambles', 'moss'];
    for (const name of names) writeDraft({ owner: 'ann', name }, 'mine');
    eraseDrafts('ann', 'bramble');
    expect(draftNames('ann').toSorted()).toEqual(['brambles', 'moss']);
  });

  it('is found by its owner', () => {
    writeDraft(place, 'mine');
    writeDraft({ ...place, name: 'juno' }, 'mine too');
    writeDraft({ owner: 'anne', name: 'moss' }, 'hers');
    expect(draftNames('ann').toSorted()).toEqual(['bramble', 'juno']);
  });

  it('follows the changes of other tabs until it is unsubscribed', () => {
    const seen: string[] = [];
    const stop = watchDraft(place, (text) => seen.push(text));
    writeInOtherTab(place, 'typed there');
    writeInOtherTab({ ...place, name: 'juno' }, 'of another dog');
    writeInOtherTab(place, '');
    stop();
    writeInOtherTab(place, 'too late');
    expect(seen).toEqual(['typed there', '']);
  });

  it.each([[['setItem'] as const], [['setItem', 'getItem', 'removeItem'] as const]])(
    'lasts as long as the page on a device that refuses %j',
    (refused) => {
      writeDraft(place, 'Saw a');
      for (const name of refused) {
        vi.spyOn(Storage.prototype, name).mockImplementation(() => {
          throw new DOMException('full', 'QuotaExceededError');
        });
      }
      expect(writeDraft(place, 'Saw a deer')).toBe(false);
      expect(readDraft(place)).toBe('Saw a deer');
      expect(draftNames('ann')).toEqual(['bramble']);
      eraseDrafts('ann');
      expect(readDraft(place)).toBe('');
      vi.restoreAllMocks();
      expect(writeDraft(place, 'Saw a deer by the brook')).toBe(true);
      writeInOtherTab(place, 'typed there');
      expect(readDraft(place)).toBe('typed there');
    },
  );
});
