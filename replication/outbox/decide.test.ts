import { describe, expect, it } from 'vitest';
import { asDeleted, type LocalDocument } from '../../schemas/documents/document.ts';
import type { ConflictVersion, PlaceFileJob } from '../../schemas/local/local-record.ts';
import { entryDeletedCode, type OutboxJob } from '../../schemas/local/outbox-job.ts';
import { deletedEntryFileKeptMs } from '../../schemas/local/remove-file.ts';
import { voiceJob } from '../../tests/support/fixtures/file-records.ts';
import { clean, newEntry, newPet } from '../../tests/support/fixtures/sync-documents.ts';
import {
  decideCached,
  decideJob,
  decidePlacement,
  isGivenUp,
  isRemovalDue,
  namesNeeded,
  petsGone,
} from './decide.ts';
import type { Ledger } from './ledger.ts';

const dayMs = 24 * 3_600_000;

const recording = voiceJob('e1', {
  petId: 'p1',
  md5: 'sound',
  objectName: 'pets/p1/audios/voice-note-5.webm',
  byteLength: 5,
  createdAtMs: 5,
});

const picture: OutboxJob = {
  ...recording,
  id: 'profile-picture:p1',
  kind: 'profile-picture',
  entryId: null,
  objectName: 'pets/p1/images/profile.jpg',
  md5: 'chosen',
};

const marked: OutboxJob = { ...recording, code: entryDeletedCode, nextAttemptAtMs: dayMs };

const pet = clean(newPet('p1'), 1);
const entry = clean(newEntry({ id: 'e1', petId: 'p1' }), 2);
const heir = clean(newEntry({ id: 'after-e1', petId: 'p2' }), 3);

const version: ConflictVersion = {
  kind: 'conflict-version',
  collection: 'entries',
  documentId: 'e1',
  petId: 'p1',
  fields: { text: 'mine' },
  edits: { text: 1 },
  reason: 'deleted',
  side: 'local',
  keptAtMs: 1,
};

const placement: PlaceFileJob = {
  kind: 'place-file',
  collection: 'entries',
  documentId: 'r1',
  sourceId: 'e1',
  objectName: recording.objectName,
  version: null,
  chosenAtMs: 10,
};

interface World extends Partial<Omit<Ledger, 'documents' | 'versions' | 'placements'>> {
  readonly documents?: readonly LocalDocument[];
  readonly versions?: readonly ConflictVersion[];
  readonly placements?: readonly PlaceFileJob[];
}

function ledgerOf({ documents = [], versions = [], placements = [], ...rest }: World): Ledger {
  const of = (collection: 'pets' | 'entries') =>
    new Map(documents.filter((one) => one.collection === collection).map((one) => [one.id, one]));
  return {
    nowMs: 0,
    correctedMs: 0,
    isFetched: true,
    epoch: null,
    comparedEpoch: null,
    jobs: [],
    removals: new Map(),
    versions: new Map(versions.map((one, at) => [String(at), one])),
    placements: new Map(placements.map((one) => [one.documentId, one])),
    pictures: [],
    recordings: [],
    documents: { pets: of('pets'), entries: of('entries') },
    dyingPets: new Set(),
    successors: new Map(),
    ...rest,
  };
}

const sent = (document: LocalDocument) => ({ kind: 'send', document }) as const;
const gone = asDeleted(entry);
const goneHere = { ...gone, pending: 0 } as const;
const successors = new Map([['e1', heir]]);
const heirWith = (fileLocation: string) => new Map([['e1', { ...heir, fields: { fileLocation } }]]);

describe('the decision for a recording', () => {
  it.each<[string, OutboxJob, World, ReturnType<typeof decideJob>]>([
    ['its entry is on the server', recording, { documents: [entry] }, sent(entry)],
    [
      'its entry is not there yet',
      recording,
      { documents: [{ ...entry, seq: null }] },
      { kind: 'rest' },
    ],
    ['refused', { ...recording, stage: 'failed' }, { documents: [entry] }, { kind: 'rest' }],
    [
      'its entry was written',
      { ...recording, stage: 'recorded' },
      { documents: [entry] },
      { kind: 'begin' },
    ],
    [
      'its entry was moved to another dog',
      recording,
      { documents: [{ ...entry, petId: 'p2' }] },
      { kind: 'hand-over', home: { entryId: 'e1', petId: 'p2' } },
    ],
    ['nobody has written its entry yet', { ...recording, stage: 'recorded' }, {}, { kind: 'rest' }],
    ['its entry is still to be fetched', recording, { isFetched: false }, { kind: 'rest' }],
    ['its entry is nowhere', recording, {}, { kind: 'offer' }],
    ['its entry was just deleted', recording, { documents: [gone] }, { kind: 'mark' }],
    ['it was deleted this moment', marked, { documents: [goneHere] }, { kind: 'rest' }],
    ['it may come back', marked, { documents: [goneHere], nowMs: 1 }, { kind: 'rest' }],
    [
      'it came back',
      marked,
      { documents: [goneHere], successors },
      { kind: 'hand-over', home: { entryId: 'after-e1', petId: 'p2', isCopy: false } },
    ],
    [
      'it came back with a file of its own',
      marked,
      { documents: [goneHere], successors: heirWith('imported') },
      { kind: 'rest' },
    ],
    [
      'it came back with the same file',
      marked,
      { documents: [goneHere], successors: heirWith(marked.objectName) },
      { kind: 'hand-over', home: { entryId: 'after-e1', petId: 'p2', isCopy: false } },
    ],
    [
      'it came back, and a version is kept',
      marked,
      { documents: [goneHere], successors, versions: [version] },
      { kind: 'hand-over', home: { entryId: 'after-e1', petId: 'p2', isCopy: true } },
    ],
    [
      'it came back and has got its sound, and a version is kept',
      { ...marked, handedTo: 'after-e1' },
      { documents: [goneHere], successors, versions: [version] },
      { kind: 'rest' },
    ],
    [
      'it came back once more, and a version is kept',
      { ...marked, handedTo: 'another heir' },
      { documents: [goneHere], successors, versions: [version] },
      { kind: 'hand-over', home: { entryId: 'after-e1', petId: 'p2', isCopy: true } },
    ],
    ['a day has gone by', marked, { documents: [goneHere], nowMs: dayMs }, { kind: 'let-go' }],
    [
      'a day has gone by without the server',
      marked,
      { documents: [gone], nowMs: dayMs },
      { kind: 'rest' },
    ],
    [
      'the clock was set back by a second',
      marked,
      { documents: [goneHere], nowMs: -1_000 },
      { kind: 'rest' },
    ],
    [
      'the clock was set back by more than a day',
      marked,
      { documents: [goneHere], nowMs: -dayMs - 1 },
      { kind: 'let-go' },
    ],
    [
      'a version is kept',
      marked,
      { documents: [goneHere], nowMs: dayMs, versions: [version] },
      { kind: 'rest' },
    ],
    [
      'a version is being restored',
      marked,
      { documents: [goneHere], nowMs: dayMs, placements: [placement] },
      { kind: 'rest' },
    ],
  ])('O4.5 O4.8 %s', (...[, job, world, decision]) => {
    expect(decideJob(job, ledgerOf(world))).toEqual(decision);
  });
});

const shown = (md5: string, atMs: number): LocalDocument => ({
  ...pet,
  fields: { ...pet.fields, profilePicturePath: picture.objectName, profilePictureVersion: md5 },
  edits: { ...pet.edits, profilePictureVersion: atMs },
});

describe('the decision for a picture', () => {
  it.each<[string, OutboxJob, World, ReturnType<typeof decideJob>]>([
    ['its dog is on the server', picture, { documents: [pet] }, sent(pet)],
    ['its dog is not there yet', picture, { documents: [{ ...pet, seq: null }] }, { kind: 'rest' }],
    ['refused', { ...picture, stage: 'failed' }, { documents: [pet] }, { kind: 'rest' }],
    ['its dog is nowhere', picture, {}, { kind: 'let-go' }],
    ['its dog was deleted', picture, { documents: [asDeleted(pet)] }, { kind: 'let-go' }],
    [
      'refused, and its dog was deleted',
      { ...picture, stage: 'failed' },
      { documents: [asDeleted(pet)] },
      { kind: 'let-go' },
    ],
    [
      'refused, and its dog shows a later one',
      { ...picture, stage: 'failed' },
      { documents: [shown('later', 6)] },
      { kind: 'keep', pet: shown('later', 6) },
    ],
    [
      'its dog is being deleted',
      picture,
      { documents: [pet], dyingPets: new Set(['p1']) },
      { kind: 'let-go' },
    ],
    [
      'its dog was deleted and can be restored',
      picture,
      {
        documents: [asDeleted(pet)],
        versions: [{ ...version, collection: 'pets', documentId: 'p1' }],
      },
      { kind: 'rest' },
    ],
    [
      'its dog shows a later one',
      picture,
      { documents: [shown('later', 6)] },
      { kind: 'keep', pet: shown('later', 6) },
    ],
    [
      'its dog shows one of the same time that nobody saw',
      picture,
      { documents: [shown('other', 5)] },
      { kind: 'keep', pet: shown('other', 5) },
    ],
    [
      'its owner saw the one of the same time',
      { ...picture, replaces: ['oldest', 'other'], seenStamp: 5 },
      { documents: [shown('other', 5)] },
      sent(shown('other', 5)),
    ],
    [
      'its owner saw that one before another device restored it',
      { ...picture, replaces: ['other'], seenStamp: 4 },
      { documents: [shown('other', 5)] },
      { kind: 'keep', pet: shown('other', 5) },
    ],
    ['its dog shows it', picture, { documents: [shown('chosen', 9)] }, sent(shown('chosen', 9))],
    [
      'its dog shows an earlier one',
      picture,
      { documents: [shown('other', 4)] },
      sent(shown('other', 4)),
    ],
  ])('O4.2 O7.1 %s', (...[, job, world, decision]) => {
    expect(decideJob(job, ledgerOf(world))).toEqual(decision);
  });

  it('O4.2 the picture of a deleted dog is dropped, unless the dog can be restored', () => {
    const pictures = ['p1', 'p2', 'p3'].map((documentId) => ({ id: documentId, documentId }));
    const kept = { ...version, collection: 'pets', documentId: 'p2' } as const;
    const documents = [pet, asDeleted(newPet('p2')), asDeleted(newPet('p3'))];
    const ledger = ledgerOf({ documents, versions: [kept], pictures });
    expect([...petsGone(ledger)]).toEqual(['p3']);
  });
});

describe('the decision for a cached recording', () => {
  const cached = { id: recording.objectName, documentId: 'e1' };
  const told = { ...entry, fields: { fileLocation: recording.objectName } };
  const histories = { epoch: 'two', comparedEpoch: 'one' };

  it.each<[string, World, ReturnType<typeof decideCached>]>([
    ['its entry is there', { documents: [told] }, 'keep'],
    ['its entry was deleted', { documents: [goneHere] }, 'rest'],
    ['its entry is not here', {}, 'keep'],
    ['the server has another history', { documents: [told], ...histories }, 'compare'],
    ['its entry has another file', { documents: [entry], ...histories }, 'keep'],
    ['nothing was compared yet', { documents: [told], ...histories, comparedEpoch: null }, 'keep'],
  ])('O6.5 O6.6 %s', (_, world, decision) => {
    expect(decideCached(cached, ledgerOf(world))).toBe(decision);
  });
});

describe('the decision for a file to place', () => {
  const restored = clean(newEntry({ id: 'r1', petId: 'p1' }), 4);
  const own = { ...recording, id: 'voice-note:r1', entryId: 'r1' };
  const place = { kind: 'place', document: restored, left: undefined, isCopy: false };

  it.each<[string, World, object]>([
    ['its document is here', { documents: [restored] }, place],
    [
      'the job of before has it',
      { documents: [restored], jobs: [marked] },
      { ...place, left: marked },
    ],
    [
      'something else needs it too',
      { documents: [restored], jobs: [marked], versions: [version] },
      { ...place, left: marked, isCopy: true },
    ],
    ['its document has one on its way', { documents: [restored], jobs: [own] }, { kind: 'forget' }],
    ['its document is still to come', {}, { kind: 'wait' }],
    ['its document may still come', { correctedMs: dayMs + 10 }, { kind: 'wait' }],
    ['its document does not come', { correctedMs: dayMs + 11 }, { kind: 'forget' }],
    [
      'its document waits for words only',
      { documents: [restored], jobs: [{ ...own, stage: 'transcribing' }] },
      place,
    ],
    [
      'another document gets it too',
      { documents: [restored], placements: [placement, { ...placement, documentId: 'r2' }] },
      { ...place, isCopy: true },
    ],
    ['its document was deleted', { documents: [asDeleted(restored)] }, { kind: 'wait' }],
    [
      'and came back',
      { documents: [asDeleted(restored)], successors: new Map([['r1', heir]]) },
      { ...place, document: heir },
    ],
  ])('O8.1 O8.2 %s', (_, world, decision) => {
    expect(decidePlacement(placement, ledgerOf(world))).toEqual(decision);
  });
});

describe('the decision for a picture to place', () => {
  const placing = { ...placement, collection: 'pets', documentId: 'p1', sourceId: 'old' } as const;
  const left = { ...picture, id: 'profile-picture:old', petId: 'old' };

  it.each<[string, number, PlaceFileJob, object]>([
    ['chosen later forgets it', 11, placing, { kind: 'forget' }],
    ['of the same time does not', 10, placing, { kind: 'place', left }],
    ['of the dog itself is no other', 10, { ...placing, sourceId: 'p1' }, { left: undefined }],
  ])('O8.1 a picture that waits, %s', (...row) => {
    const [, createdAtMs, record, decision] = row;
    const ledger = ledgerOf({ documents: [pet], jobs: [{ ...picture, createdAtMs }, left] });
    expect(decidePlacement(record, ledger)).toMatchObject(decision);
  });
});

describe('a file that is named for removal', () => {
  const { objectName } = recording;
  const removal = {
    kind: 'remove-file',
    collection: 'entries',
    documentId: 'e1',
    objectName,
    notBeforeMs: 0,
  } as const;
  const told = { ...entry, fields: { fileLocation: objectName } };

  it.each<[string, readonly LocalDocument[], boolean]>([
    ['its document is gone from here', [], true],
    ['its document has it', [told], false],
    ['its document has another, which the server does not know', [{ ...entry, pending: 1 }], false],
    ['its document has another', [entry], true],
  ])('O6.2 is given up: %s', (_, documents, isGone) => {
    expect(isGivenUp(removal, ledgerOf({ documents }))).toBe(isGone);
  });

  it.each<[number, boolean]>([
    [1, false],
    [0, true],
    [deletedEntryFileKeptMs + dayMs, false],
    [deletedEntryFileKeptMs + dayMs + 1, true],
  ])(
    'O6.2 is due when its time has come, or the clock was set back by more than a day: in %s ms',
    (leftMs, isDue) => {
      expect(isRemovalDue({ ...removal, notBeforeMs: 500 + leftMs }, 500)).toBe(isDue);
    },
  );

  it('O6.2 is needed by a job with work left, a placement or a version', () => {
    const jobs = [recording, marked, { ...picture, stage: 'failed', objectName: 'x' } as const];
    const kept = { ...version, fields: { fileLocation: 'kept' } };
    const placements = [
      { ...placement, objectName: 'placed' },
      { ...placement, documentId: 'r2', objectName: null },
    ];
    const ledger = ledgerOf({ jobs, placements, versions: [version, kept] });
    expect(namesNeeded(ledger)).toEqual(new Set([objectName, 'placed', 'kept']));
  });
});
