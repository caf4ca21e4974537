import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { installNativeBridge } from '../../../tests/support/fakes/native-bridge.ts';
import type { SaveOptions } from '../../lib/dom/saved-file.ts';

const native = installNativeBridge();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  native.answers.set('Filesystem.writeFile', { uri: 'file:///cache/shared/x/a.zip' });
});

afterEach(() => {
  vi.useRealTimers();
  native.reset();
});

/** Runs a complete save in the wrapper. */
async function save(file: File, options?: SaveOptions) {
  const { saveFile } = await import('../save-file.ts');
  return saveFile(file, options);
}

const called = () => native.calls.map(({ methodName }) => methodName);

const pieces = () =>
  native.calls
    .map(({ options }) => options['data'])
    .filter((data): data is string => typeof data === 'string');

/** Returns the written bytes. */
function written(): Buffer {
  return Buffer.concat(pieces().map((text) => Buffer.from(text, 'base64')));
}

function bigFile(byteLength: number): {
  readonly file: File;
  readonly bytes: Uint8Array<ArrayBuffer>;
} {
  const bytes = Uint8Array.from({ length: byteLength }, (_, index) => (index * 7) % 251);
  return { file: new File([bytes], 'a.zip', { type: 'application/zip' }), bytes };
}

describe('a file in the wrapper', () => {
  it('is written in pieces of half a megabyte, and shared by its address', async () => {
    const { file, bytes } = bigFile(1_000_001);
    const parts: number[] = [];
    expect(await save(file, { onProgress: (part) => parts.push(part) })).toBe('shared');
    expect(called()).toEqual(['writeFile', 'appendFile', 'appendFile', 'share']);
    expect(written().equals(bytes)).toBe(true);
    for (const piece of pieces()) expect(piece.length).toBeLessThanOrEqual(512 * 1_024);
    const paths = new Set(native.calls.slice(0, 3).map(({ options }) => options['path']));
    expect([...paths]).toEqual([expect.stringMatching(/^shared\/[^/]+\/a\.zip$/)]);
    expect(native.calls[0]?.options).toMatchObject({ directory: 'CACHE', recursive: true });
    expect(native.calls.at(-1)?.options).toEqual({
      title: 'a.zip',
      files: ['file:///cache/shared/x/a.zip'],
    });
    expect(parts.map((part) => part.toFixed(2))).toEqual(['0.39', '0.79', '1.00']);
  });

  it.each([0, 1, 3 * 128 * 1_024])('of %i bytes is written whole, by one call', async (length) => {
    const { file, bytes } = bigFile(length);
    expect(await save(file)).toBe('shared');
    expect(called()).toEqual(['writeFile', 'share']);
    expect(written().equals(bytes)).toBe(true);
  });

  it('is removed a minute after it was shared, for the other app may still read it', async () => {
    await save(bigFile(1).file);
    await vi.advanceTimersByTimeAsync(59_000);
    expect(called()).toEqual(['writeFile', 'share']);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(native.calls.at(-1)).toMatchObject({
      methodName: 'rmdir',
      options: { directory: 'CACHE', recursive: true },
    });
    const path = String(native.calls[0]?.options['path']);
    expect(native.calls.at(-1)?.options['path']).toBe(path.replace('/a.zip', ''));
  });

  it('is no failure when its owner closes the sheet, and is removed at once', async () => {
    native.answers.set('Share.share', new Error('Share canceled'));
    expect(await save(bigFile(1).file)).toBe('cancelled');
    expect(called()).toEqual(['writeFile', 'share', 'rmdir']);
  });

  it.each([
    ['Share.share', ['writeFile', 'appendFile', 'share', 'rmdir']],
    ['Filesystem.appendFile', ['writeFile', 'appendFile', 'rmdir']],
    ['Filesystem.writeFile', ['writeFile', 'rmdir']],
  ])('that meets an error in %s leaves nothing, and says so', async (name, calls) => {
    native.answers.set(name, new Error('No space left on device'));
    native.answers.set('Filesystem.rmdir', new Error('Folder does not exist'));
    expect(await save(bigFile(500_000).file)).toBe('failed');
    expect(called()).toEqual(calls);
  });

  it('is given up between two pieces when its owner stops it, and leaves nothing', async () => {
    const stopping = new AbortController();
    const saving = save(bigFile(2_000_000).file, {
      signal: stopping.signal,
      onProgress: () => stopping.abort(),
    });
    await expect(saving).rejects.toMatchObject({ name: 'AbortError' });
    expect(called()).toEqual(['writeFile', 'appendFile', 'rmdir']);
  });
});
