import { describe, expect, it } from 'vitest';
import { isAboutTranscript, type OutboxJob } from '../../../schemas/local/outbox-job.ts';
import { voiceJob } from '../../../tests/support/fixtures/file-records.ts';
import { parkedFileReason, waitingFileNote } from './file-copy.ts';

describe('why the server does not have a file', () => {
  it.each([
    ['http-400', 'The server does not take this file.'],
    ['http-402', 'The server has no room left for your files. Delete some, then try again.'],
    ['http-403', 'The server says that it is not yours to change.'],
    ['http-413', 'It is too large for the server.'],
    ['http-415', 'The server does not take this type of file.'],
    ['http-422', 'The server refused it (http-422).'],
    [null, 'The server refused it (unknown).'],
  ])('with code %s: %s', (code, reason) => {
    expect(parkedFileReason(code)).toBe(`Upload failed. ${reason} It is kept here.`);
  });
});

it('a file whose bytes this device has lost is neither refused nor kept', () => {
  expect(parkedFileReason('bytes-missing')).toBe(
    'This device has lost the file. Discard it, and add it again.',
  );
});

describe('why a recording has no text', () => {
  it.each([
    ['words-permission-denied', 'The server says that the recording is not yours.'],
    ['words-too-large', 'The recording is too long for the server.'],
    ['words-not-audio', 'The server cannot read this type of recording.'],
    ['words-not-found', 'The server does not have the recording any more.'],
    ['words-new', 'The server refused it (words-new).'],
  ])('with code %s: %s', (code, reason) => {
    expect(isAboutTranscript(code)).toBe(true);
    expect(parkedFileReason(code)).toBe(
      `No text could be made of it. ${reason} The recording is safe.`,
    );
  });

  it('is told from the refusal of the file by the beginning of the code', () => {
    for (const code of ['http-403', 'no-words-', null]) expect(isAboutTranscript(code)).toBe(false);
  });
});

describe('the progress of an unsent file', () => {
  const noteOf = (changes: Partial<OutboxJob>, isOnline = true): string =>
    waitingFileNote(voiceJob('e1', changes), isOnline);

  it('is said by its stage', () => {
    expect(noteOf({ stage: 'queued' })).toMatch(/with the next connection/);
    expect(noteOf({ stage: 'uploading' })).toBe('Uploading…');
    expect(noteOf({ stage: 'uploading' }, false)).toMatch(/with the next connection/);
    expect(noteOf({ stage: 'uploaded' })).toBe('Uploaded');
  });

  it('is that it is tried again after a failure', () => {
    for (const stage of ['queued', 'uploading', 'uploaded'] as const)
      expect(noteOf({ stage, attempts: 1 })).toMatch(/tried again by itself/);
  });
});
