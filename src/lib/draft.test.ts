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

  it('is only less safe on a device that cannot store it', () => {
    const refuse = (): never => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(refuse);
    vi.spyOn(Storage.prototype, 'getItem').mockImplementation(refuse);
    expect(() => writeDraft(place, 'text')).not.toThrow();
    expect(readDraft(place)).toBe('');
  });
});
