import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { checkObjectName } from './object-name.ts';
import {
  defaultSettings,
  SettingsRecord,
  mergeSettings,
  settingsToRecord,
} from './object-settings.ts';

describe('settings', () => {
  it('are merged; null and empty fall back to the default', () => {
    const base = mergeSettings(defaultSettings, {
      contentType: 'audio/webm',
      cacheControl: 'no-store',
      metadata: { a: '1', b: '2' },
    });
    const merged = mergeSettings(base, { cacheControl: null, metadata: { a: null, c: '3' } });
    expect(merged).toMatchObject({ contentType: 'audio/webm', cacheControl: null });
    expect([...merged.custom]).toEqual([
      ['b', '2'],
      ['c', '3'],
    ]);
    expect(mergeSettings(base, { contentType: '' }).contentType).toBe('application/octet-stream');
    expect(mergeSettings(base, { metadata: null }).custom.size).toBe(0);
  });

  it('keep keys of prototypes as plain keys, also over the store', () => {
    const metadata: unknown = JSON.parse('{"__proto__":"a","constructor":"b"}');
    const hostile = { metadata };
    const settings = mergeSettings(defaultSettings, hostile);
    const text = JSON.stringify(settingsToRecord(settings));
    expect(v.parse(SettingsRecord, JSON.parse(text))).toEqual(settings);
    expect([...settings.custom.keys()]).toEqual(['__proto__', 'constructor']);
  });

  it.each([
    ['a line break in a header', { contentDisposition: 'inline\r\nSet-Cookie: a=b' }],
    ['a control character', { contentType: 'text/plain\u0000' }],
    ['a C1 control character', { cacheControl: 'no-store\u0085' }],
    ['a number', { contentType: 5 }],
    ['a long header', { contentLanguage: 'x'.repeat(2000) }],
    ['metadata that is a list', { metadata: ['a'] }],
    ['metadata with objects', { metadata: { a: {} } }],
    ['too much metadata', { metadata: { a: 'x'.repeat(9000) } }],
  ])('refuse %s', (_name, hostile) => {
    expect(() => mergeSettings(defaultSettings, hostile)).toThrow(
      expect.objectContaining({ code: 'invalid' }),
    );
  });
});

describe('names', () => {
  it.each(['a', 'a/../../etc/passwd', '/a', 'a//b', 'ü 🐕%2F#?', '__proto__', 'a\\b'])(
    '%j is a name',
    (name) => expect(checkObjectName(name)).toBe(name),
  );

  it.each(['', '.', '..', 'a\nb', 'a\u0000', 'x'.repeat(1025), 'ü'.repeat(513)])(
    '%j is none',
    (name) =>
      expect(() => checkObjectName(name)).toThrow(expect.objectContaining({ code: 'invalid' })),
  );
});
