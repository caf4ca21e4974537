import { expect, it } from 'vitest';
import type { OutboxStage } from '../../../../schemas/local/outbox-job.ts';
import { voiceJob } from '../../../../tests/support/fixtures/file-records.ts';
import { waitingCopy } from './waiting-copy.ts';

it.each<[OutboxStage, string]>([
  ['queued', 'The recording waits for a connection.'],
  ['uploading', 'The recording waits for a connection.'],
  ['uploaded', 'The text waits for a connection.'],
  ['transcribing', 'The text waits for a connection.'],
])('offline, a job that is %s says what waits', (stage, sentence) => {
  const job = voiceJob('e1', { stage });
  expect(waitingCopy({ job, hasFile: true, isOnline: false })).toBe(sentence);
});
