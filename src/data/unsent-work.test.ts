import { beforeEach, describe, expect, it, vi } from 'vitest';
import { nothingUnsent } from '../../tests/support/fakes/fake-data.ts';
import { petVersion, pictureJob, voiceJob } from '../../tests/support/fixtures/file-records.ts';
import { storedPet } from '../../tests/support/fixtures/stored-documents.ts';
import { stubWebStorage } from '../../tests/support/setups/web-storage.ts';
import { setUpData } from '../../tests/support/setups/data-setup.ts';
import type { SyncOverview } from './queries/queries.ts';
import { writeDraft } from '../lib/draft.ts';
import {
  countUnsentWork,
  hasUnsent,
  readUnsentWork,
  unsentSummary,
  unsentText,
  type UnsentWork,
} from './unsent-work.ts';

const nothing: UnsentWork = { changes: 0, otherVersions: 0, drafts: 0 };
const version = { ...petVersion(), id: 'v' };
const pet = storedPet({ name: 'Bramble' });

describe('the unsent work', () => {
  it('counts changes that wait, are parked or delete a dog, other versions, and drafts of its owner', () => {
    stubWebStorage();
    for (const name of ['note.p1', 'note.p2']) writeDraft({ owner: 'owner', name }, 'Ducks');
    writeDraft({ owner: 'other', name: 'note.p1' }, 'Geese');
    const counts = { waitingCount: 1, parkedCount: 2, leavingCount: 4 };
    const overview = { ...nothingUnsent, ...counts, versions: [version, version, version] };
    expect(countUnsentWork(overview, 'owner')).toEqual({
      changes: 7,
      otherVersions: 3,
      drafts: 2,
    });
  });

  it('is read with the files that wait, whose code is loaded first', async () => {
    const { queries, files } = await setUpData();
    const load = vi.fn<() => Promise<void>>(async () => files.jobs.set([pictureJob('p1')]));
    const work = await readUnsentWork({ uid: 'owner', queries, files: { load } });
    expect(work).toEqual({ ...nothing, changes: 1 });
  });

  it.each<[string, Partial<UnsentWork>]>([
    ['1 change not sent yet', { changes: 1 }],
    ['2 other versions kept here', { otherVersions: 2 }],
    ['1 draft not finished', { drafts: 1 }],
    ['2 changes not sent yet and 3 drafts not finished', { changes: 2, drafts: 3 }],
  ])('is told as: %s', (text, part) => {
    expect(hasUnsent({ ...nothing, ...part })).toBe(true);
    expect(unsentText({ ...nothing, ...part })).toBe(text);
  });

  it('can be none', () => {
    expect(hasUnsent(nothing)).toBe(false);
    expect(unsentText(nothing)).toBe('');
  });
});

describe('the summary of unsent work', () => {
  beforeEach(() => stubWebStorage());

  it('has the drafts, which the cloud does not have', () => {
    writeDraft({ owner: 'owner', name: 'p1.edit.e1' }, 'Ducks');
    expect(unsentSummary(nothingUnsent, 'owner')).toBe('1 draft that is not saved');
  });

  it('is unknown until the files are read', () => {
    expect(unsentSummary(undefined, 'owner')).toBeNull();
    expect(unsentSummary({ ...nothingUnsent, files: null, waitingCount: 1 }, 'owner')).toBeNull();
    expect(unsentSummary(nothingUnsent, 'owner')).toBe('');
  });

  it.each<[string, Partial<SyncOverview>]>([
    ['2 notes', { waitingCount: 1, parkedCount: 1 }],
    ['1 recording', { waitingCount: 1, files: [voiceJob('e1')] }],
    ['1 picture', { waitingCount: 1, files: [pictureJob('p1')] }],
    ['1 change to a dog', { waitingCount: 1, waitingPets: [pet] }],
    ['1 other version', { versions: [version] }],
    [
      '3 notes, 2 recordings, 1 picture, 2 changes to dogs and 1 other version',
      {
        waitingCount: 5,
        parkedCount: 3,
        waitingPets: [pet],
        parkedPets: [pet],
        files: [voiceJob('e1'), voiceJob('e2'), pictureJob('p1')],
        versions: [version],
      },
    ],
  ])('lists what only this device has, without zeros: %s', (summary, part) => {
    expect(unsentSummary({ ...nothingUnsent, ...part }, 'owner')).toBe(summary);
  });
});
