import { describe, expect, it } from 'vitest';
import {
  bytesIdOf,
  cachedPictureId,
  isOther,
  isVersionId,
  neededBytes,
  pictureBytesId,
  pictureVersionOf,
  type FileBytes,
} from './file-bytes.ts';
import { emptyCheckpoint, type PlaceFileJob } from './local-record.ts';
import type { OutboxJob } from './outbox-job.ts';
import { petVersion, voiceJob } from '../../tests/support/fixtures/file-records.ts';

const recording = voiceJob('e1', { petId: 'p1', byteLength: 3, md5: 'md5-of-recording' });

const picture: OutboxJob = {
  ...recording,
  id: 'profile-picture:p1',
  kind: 'profile-picture',
  entryId: null,
  objectName: 'pets/p1/images/profile.jpg',
  md5: 'md5-of-picture',
};

const version = petVersion({
  documentId: 'p2',
  fields: { profilePictureVersion: 'md5-of-version' },
  edits: { profilePictureVersion: 1 },
});

const placing: PlaceFileJob = {
  kind: 'place-file',
  collection: 'pets',
  documentId: 'p3',
  sourceId: 'p4',
  objectName: null,
  version: 'md5-of-placed',
  chosenAtMs: 1,
};

const bytes: FileBytes = {
  id: 'x',
  kind: 'voice-note',
  documentId: 'e1',
  contentType: 'audio/webm',
  bytes: new ArrayBuffer(3),
  byteLength: 3,
  md5: 'one',
  usedAtMs: 1,
};

describe('the id of bytes', () => {
  it('of a recording is its name on the server, which no other recording has', () => {
    expect(bytesIdOf(recording)).toBe(recording.objectName);
  });

  it('of a picture tells the pictures of one pet apart, and those of two pets with one content', () => {
    const ids = [
      bytesIdOf(picture),
      bytesIdOf({ ...picture, md5: 'other' }),
      bytesIdOf({ ...picture, petId: 'p2' }),
    ];
    expect(new Set(ids).size).toBe(3);
    expect(bytesIdOf(picture)).toBe(pictureBytesId({ petId: 'p1', md5: 'md5-of-picture' }));
  });

  it('says whether the bytes are a picture that must not be evicted', () => {
    expect(isVersionId(bytesIdOf(picture))).toBe(true);
    expect(isVersionId(bytesIdOf(recording))).toBe(false);
    expect(isVersionId(cachedPictureId('p1'))).toBe(false);
  });

  it('of a cached picture is one per pet', () => {
    expect(cachedPictureId('p1')).not.toBe(cachedPictureId('p2'));
  });
});

describe('bytes under an id', () => {
  it('are another document’s only if both the document and the content differ', () => {
    const [changed, longer] = [new Uint8Array([0, 0, 1]).buffer, new ArrayBuffer(4)];
    expect(isOther({ ...bytes, documentId: 'e2', bytes: changed }, bytes)).toBe(true);
    expect(isOther({ ...bytes, documentId: 'e2', bytes: longer }, bytes)).toBe(true);
    expect(isOther({ ...bytes, documentId: 'e2', bytes: new ArrayBuffer(3) }, bytes)).toBe(false);
    expect(isOther({ ...bytes, bytes: changed }, bytes)).toBe(false);
    expect(isOther(bytes, bytes)).toBe(false);
    expect(isOther(undefined, bytes)).toBe(false);
  });
});

describe('the picture of a record', () => {
  it('is the one that a conflict version of a pet keeps', () => {
    expect(pictureVersionOf(version)).toEqual({ petId: 'p2', md5: 'md5-of-version' });
    expect(pictureVersionOf({ ...version, fields: { name: 'Bram' } })).toBeNull();
    expect(pictureVersionOf({ ...version, fields: { profilePictureVersion: 7 } })).toBeNull();
  });

  it('is the one of the source from which a file is placed', () => {
    expect(pictureVersionOf(placing)).toEqual({ petId: 'p4', md5: 'md5-of-placed' });
    expect(pictureVersionOf({ ...placing, version: null })).toBeNull();
  });

  it('does not exist for other records', () => {
    expect(pictureVersionOf(emptyCheckpoint)).toBeNull();
    expect(pictureVersionOf({ kind: 'outbox-job', job: picture })).toBeNull();
  });
});

it('the bytes of uploads, conflict versions and files to place are needed, and no others', () => {
  const needed = neededBytes([
    emptyCheckpoint,
    { kind: 'outbox-job', job: recording },
    { kind: 'outbox-job', job: picture },
    version,
    { ...version, fields: {} },
    placing,
    { ...placing, version: null },
  ]);
  expect([...needed].toSorted()).toEqual(
    [
      bytesIdOf(recording),
      bytesIdOf(picture),
      pictureBytesId({ petId: 'p2', md5: 'md5-of-version' }),
      pictureBytesId({ petId: 'p4', md5: 'md5-of-placed' }),
    ].toSorted(),
  );
});
