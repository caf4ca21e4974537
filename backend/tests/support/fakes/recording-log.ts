import { createJsonLog, type Log } from '../../../src/log.ts';

export interface RecordingLog {
  readonly log: Log;
  /** The lines so far, without their times. */
  readonly lines: unknown[];
}

export function createRecordingLog(): RecordingLog {
  const lines: unknown[] = [];
  const log = createJsonLog((line) => {
    const { time: _, ...rest } = JSON.parse(line);
    lines.push(rest);
  }, Date.now);
  return { log, lines };
}
