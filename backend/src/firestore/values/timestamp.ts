import type { TimestampValue } from './value.ts';

const rfc3339 = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2})$/;
const minSeconds = -62_135_596_800;
const maxSeconds = 253_402_300_799;

/**
 * Parses a timestamp with 0 to 9 fraction digits and keeps 6, rounding down as the hosted service does. Returns undefined
 * when the text is no timestamp of the years 1 to 9999.
 */
export function parseTimestamp(text: string): TimestampValue | undefined {
  const match = rfc3339.exec(text);
  if (match === null) return undefined;
  const [, date = '', time = '', fraction = '', zone = ''] = match;
  const seconds = Date.parse(`${date}T${time}${zone}`) / 1000;
  if (!Number.isInteger(seconds) || seconds < minSeconds || seconds > maxSeconds) {
    return undefined;
  }
  return timestampAt(seconds, Number(fraction.padEnd(6, '0').slice(0, 6)));
}

/** Creates a timestamp. Its text is in UTC with no fraction or 3 or 6 fraction digits, so that each instant has one text. */
function timestampAt(seconds: number, micros: number): TimestampValue {
  const [whole = ''] = new Date(seconds * 1000).toISOString().split('.');
  const digits = String(micros).padStart(6, '0');
  const fraction = micros === 0 ? '' : `.${micros % 1000 === 0 ? digits.slice(0, 3) : digits}`;
  return { kind: 'timestamp', seconds, nanos: micros * 1000, text: `${whole}${fraction}Z` };
}

export const timestampToMicros = (timestamp: TimestampValue): number =>
  timestamp.seconds * 1_000_000 + Math.floor(timestamp.nanos / 1000);

/** Versions are microseconds since the epoch: they fit a double exactly until the year 2255. */
export function microsToText(micros: number): string {
  const milliseconds = Math.floor(micros / 1000);
  const rest = String(micros - milliseconds * 1000).padStart(3, '0');
  return new Date(milliseconds).toISOString().replace('Z', `${rest}Z`);
}

/** Returns the time that rules and server timestamps have: the wall clock, rounded down to milliseconds. */
export function requestTime(micros: number): TimestampValue {
  const milliseconds = Math.floor(micros / 1000);
  const seconds = Math.floor(milliseconds / 1000);
  return timestampAt(seconds, (milliseconds - seconds * 1000) * 1000);
}
