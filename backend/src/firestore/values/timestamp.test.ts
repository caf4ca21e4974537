import { describe, expect, it } from 'vitest';
import { microsToText, parseTimestamp, requestTime, timestampToMicros } from './timestamp.ts';

describe('timestamps', () => {
  it.each([
    ['1970-01-01T00:00:00Z', 0],
    ['2026-11-21T10:00:00.5Z', 1_795_255_200_500_000],
    ['2026-11-21T10:00:00.123456Z', 1_795_255_200_123_456],
    ['2026-11-21T10:00:00.123456789Z', 1_795_255_200_123_456],
    ['1969-12-31T23:59:59.999999Z', -1],
  ])('reads %s as %d microseconds', (text, micros) => {
    const timestamp = parseTimestamp(text);
    expect(timestamp && timestampToMicros(timestamp)).toBe(micros);
  });

  it.each([
    ['2026-11-21T10:00:00.123456789Z', '2026-11-21T10:00:00.123456Z'],
    ['2026-11-21T10:00:00.000000999Z', '2026-11-21T10:00:00Z'],
    ['2026-11-21T10:00:00.500000000Z', '2026-11-21T10:00:00.500Z'],
    ['2026-11-21T12:00:00+02:00', '2026-11-21T10:00:00Z'],
    ['0001-01-01T00:00:00.000001999Z', '0001-01-01T00:00:00.000001Z'],
    ['1969-12-31T23:59:59.9999999Z', '1969-12-31T23:59:59.999999Z'],
  ])('keeps %s as %s', (text, kept) => {
    expect(parseTimestamp(text)?.text).toBe(kept);
  });

  it('writes versions so that reading them gives the same version', () => {
    for (const micros of [0, 1, 1_795_255_200_123_456, 1_795_255_200_000_000]) {
      const timestamp = parseTimestamp(microsToText(micros));
      expect(timestamp && timestampToMicros(timestamp)).toBe(micros);
    }
  });

  it('cuts the request time to milliseconds, never rounding up', () => {
    expect(requestTime(1_795_255_200_123_999).text).toBe('2026-11-21T10:00:00.123Z');
    expect(requestTime(1_795_255_200_123_999).nanos).toBe(123_000_000);
  });
});
