import { expect, it } from 'vitest';
import { hasWorkLeft, isUnsent, untried, type OutboxJob } from './outbox-job.ts';

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
