import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { downloadJson } from './download-json.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('a file can be read for a minute: a browser may ask first where to put it', () => {
  const revoked: string[] = [];
  Object.assign(URL, {
    createObjectURL: () => 'blob:x',
    revokeObjectURL: (url: string) => revoked.push(url),
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  downloadJson('notes.json', []);
  vi.advanceTimersByTime(59_000);
  expect(revoked).toEqual([]);
  vi.advanceTimersByTime(1_000);
  expect(revoked).toEqual(['blob:x']);
});
