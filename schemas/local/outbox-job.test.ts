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
  type OutboxJob,
} from './outbox-job.ts';
import { voiceJob } from '../../tests/support/fixtures/file-records.ts';

it.each([
  ['recorded', false],
  ['queued', true],
  ['uploading', true],
  ['uploaded', true],
  ['transcribing', true],
  ['done', true],
  ['failed', false],
] as const)('a job in stage %s has work left for the worker: %s', (stage, expected) => {
  expect(hasWorkLeft(voiceJob('e1', { stage }))).toBe(expected);
});

it('the recording of a deleted entry is no work, and not counted as unsent', () => {
  const gone = voiceJob('e1', { stage: 'uploading', code: 'entry-deleted' });
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
  stages.filter((stage) => holds(voiceJob('e1', { stage })));

describe('the stages of a job', () => {
  it('in which it waits for its owner: failed', () => {
    expect(stagesThat(isParked)).toEqual(['failed']);
  });

  it('in which the server cannot have the file: before the first attempt', () => {
    expect(stagesThat(isUntouched)).toEqual(['recorded', 'queued']);
    expect(isUntouched(voiceJob('e1', { stage: 'queued', attempts: 1 }))).toBe(false);
    expect(isUntouched(voiceJob('e1', { stage: 'recorded', attempts: 1 }))).toBe(false);
  });

  it('in which its entry refers to the file: from the transcript on', () => {
    expect(stagesThat(isTold)).toEqual(['transcribing', 'done']);
  });

  it('in which the file is on this device only: until its entry refers to it', () => {
    expect(stagesThat(isUnsent)).toEqual(['recorded', 'queued', 'uploading', 'uploaded', 'failed']);
  });
});

it('an entry refers to a file whose transcript was refused, and to none that was itself refused', () => {
  expect(isTold(voiceJob('e1', { stage: 'failed', code: 'words-no-engine' }))).toBe(true);
  expect(isTold(voiceJob('e1', { stage: 'failed', code: 'refused:words-' }))).toBe(false);
  expect(isTold(voiceJob('e1', { stage: 'failed', code: 'permission-denied' }))).toBe(false);
});

it('a job belongs to a deleted entry by its code', () => {
  expect(isOfDeleted(voiceJob('e1', { code: entryDeletedCode }))).toBe(true);
  expect(isOfDeleted(voiceJob('e1', { code: 'offline' }))).toBe(false);
  expect(isOfDeleted(voiceJob('e1', {}))).toBe(false);
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
