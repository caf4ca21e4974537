import { describe, expect, it } from 'vitest';
import {
  entryDeletedCode,
  hasWorkLeft,
  isOfDeleted,
  isParked,
  isTold,
  isUnsent,
  isUntouched,
  pictureExtensions,
  pictureJobId,
  picturePath,
  pictureStamp,
  pictureType,
  untried,
  type OutboxJob,
} from './outbox-job.ts';

const job = (changes: Partial<OutboxJob>): OutboxJob => ({
  id: 'voice-note:e1',
  kind: 'voice-note',
  petId: 'p1',
  entryId: 'e1',
  stage: 'queued',
  token: 't',
  objectName: 'pets/p1/audios/voice-note-1.webm',
  contentType: 'audio/webm',
  byteLength: 1,
  md5: '',
  createdAtMs: 1,
  ...untried,
  ...changes,
});

it.each([
  ['recorded', false],
  ['queued', true],
  ['uploading', true],
  ['uploaded', true],
  ['transcribing', true],
  ['done', true],
  ['failed', false],
] as const)('a job in stage %s has work left for the worker: %s', (stage, expected) => {
  expect(hasWorkLeft(job({ stage }))).toBe(expected);
});

it('the recording of a deleted entry is no work, and not counted as unsent', () => {
  const gone = job({ stage: 'uploading', code: 'entry-deleted' });
  expect([hasWorkLeft(gone), isUnsent(gone)]).toEqual([false, false]);
});

const stages = [
  'recorded',
  'queued',
  'uploading',
  'uploaded',
  'transcribing',
  'done',
  'failed',
] as const;

const stagesThat = (holds: (of: OutboxJob) => boolean): readonly string[] =>
  stages.filter((stage) => holds(job({ stage })));

describe('the stages of a job', () => {
  it('in which it waits for its owner: failed', () => {
    expect(stagesThat(isParked)).toEqual(['failed']);
  });

  it('in which the server cannot have the file: before the first attempt', () => {
    expect(stagesThat(isUntouched)).toEqual(['recorded', 'queued']);
    expect(isUntouched(job({ stage: 'queued', attempts: 1 }))).toBe(false);
    expect(isUntouched(job({ stage: 'recorded', attempts: 1 }))).toBe(false);
  });

  it('in which its entry refers to the file: from the transcript on', () => {
    expect(stagesThat(isTold)).toEqual(['transcribing', 'done']);
  });

  it('in which the file is on this device only: until its entry refers to it', () => {
    expect(stagesThat(isUnsent)).toEqual(['recorded', 'queued', 'uploading', 'uploaded', 'failed']);
  });
});

it('an entry refers to a file whose transcript was refused, and to none that was itself refused', () => {
  expect(isTold(job({ stage: 'failed', code: 'words-no-engine' }))).toBe(true);
  expect(isTold(job({ stage: 'failed', code: 'refused:words-' }))).toBe(false);
  expect(isTold(job({ stage: 'failed', code: 'permission-denied' }))).toBe(false);
});

it('a job belongs to a deleted entry by its code', () => {
  expect(isOfDeleted(job({ code: entryDeletedCode }))).toBe(true);
  expect(isOfDeleted(job({ code: 'offline' }))).toBe(false);
  expect(isOfDeleted(job({}))).toBe(false);
});

it('a pet has one job for its picture', () => {
  expect(pictureJobId('p1')).toBe('profile-picture:p1');
});

describe('a picture', () => {
  it('was chosen at the later of its two stamps', () => {
    expect(pictureStamp({ profilePicturePath: 7, profilePictureVersion: 5 })).toBe(7);
    expect(pictureStamp({ profilePicturePath: 5, profilePictureVersion: 7 })).toBe(7);
    expect(pictureStamp({ profilePictureVersion: 7 })).toBe(7);
    expect(pictureStamp({ profilePicturePath: 7 })).toBe(7);
    expect(pictureStamp({ name: 7 })).toBe(0);
  });

  it('has the type of its extension', () => {
    for (const [type, extension] of Object.entries(pictureExtensions))
      expect(pictureType(picturePath('p1', extension))).toBe(type);
    expect(pictureType('a.b.png')).toBe('image/png');
  });

  it.each([null, '', 'jpg.', 'profile.gif', 'png.profile'])(
    'is a JPEG if the name %j says nothing else',
    (name) => {
      expect(pictureType(name)).toBe('image/jpeg');
    },
  );

  it('has a path in the folder of its pet', () => {
    expect(picturePath('p1', 'webp')).toBe('pets/p1/images/profile.webp');
  });
});
