import { describe, expect, it, vi } from 'vitest';
import { exported } from '../../../tests/support/fakes/fake-data.ts';
import type { SaveOutcome } from '../../lib/dom/saved-file.ts';
import { createExport, exportedText, savedText, tellSaved } from './save-export.ts';
import type { Transfers } from './transfers.ts';

const fileName = 'pawpals.zip';
const scope = { kind: 'pet', petId: 'p1' } as const;

it('returns a message for each outcome, none for a closed sheet, and throws if saving failed', async () => {
  expect(savedText('saved')).toBe('Saved.');
  expect(savedText('shared')).toBe('Shared.');
  expect(savedText('cancelled')).toBe('');
  expect(savedText('needs-tap')).toBe('Tap once more to save the file.');
  expect(() => savedText('failed')).toThrow('The file could not be saved. Make room');
  expect(await tellSaved(Promise.resolve('shared'))).toEqual({ said: 'Shared.' });
});

describe('an export', () => {
  function setUp(outcomes: readonly SaveOutcome[], missingFiles = 0) {
    const exportZip = vi.fn<Transfers['exportZip']>(async (_, { signal, onProgress }) => {
      signal.throwIfAborted();
      onProgress({ done: 0, total: 0 });
      const zip = new Blob(['content'], { type: 'application/zip' });
      return { ...exported, fileName, zip, notes: 0, missingFiles };
    });
    const transfers = async () => ({ exportZip, openImport: vi.fn<Transfers['openImport']>() });
    const left = [...outcomes];
    const files: File[] = [];
    const run = createExport(async (file) => {
      files.push(file);
      return left.shift() ?? 'saved';
    });
    return { exportZip, files, run: () => run({ transfers }, scope) };
  }

  it('hands over a file of the name and type of the zip', async () => {
    const { exportZip, files, run } = setUp([]);
    await run();
    const read = files.map(async (file) => [file.name, file.type, await file.text()]);
    expect(await Promise.all(read)).toEqual([[fileName, 'application/zip', 'content']]);
    expect(exportZip.mock.calls[0]?.[0]).toBe(scope);
  });

  it('says how many files are not in it', async () => {
    expect(await setUp(['saved'], 2).run()).toEqual({
      said: 'Your export is ready: 1 dog. 2 recordings and pictures are not in it: not on this device, still being recorded, or too large for one file. README.md in the file has the names. It is saved as pawpals.zip.',
    });
  });

  it('is kept until the next tap if the browser wants one, and handed over once', async () => {
    const { exportZip, files, run } = setUp(['needs-tap', 'shared', 'cancelled']);
    const ready = 'Your export is ready: 1 dog.';
    expect(await run()).toEqual({ said: `${ready} Tap once more to save the file.` });
    expect(await run()).toEqual({ said: `${ready} It is shared as pawpals.zip.` });
    expect(exportZip).toHaveBeenCalledOnce();
    expect(await run()).toEqual({ said: '' });
    expect(exportZip).toHaveBeenCalledTimes(2);
    expect(files).toHaveLength(3);
  });

  it('fails if its file cannot be saved, and is made anew then', async () => {
    const { exportZip, run } = setUp(['failed']);
    await expect(run()).rejects.toThrow('The file could not be saved. Make room');
    await run();
    expect(exportZip).toHaveBeenCalledTimes(2);
  });
});

it('describes an empty export', () => {
  const empty = { ...exported, pets: 0, notes: 0 };
  const failed = 'The file could not be saved. Make room on this device, and try again.';
  expect(exportedText(empty, 'failed')).toBe(`Your export is ready: nothing. ${failed}`);
});

it('counts drafts and other versions, which may be all that an export has', () => {
  const unsaved = { ...exported, pets: 0, notes: 0, drafts: 1, otherVersions: 2 };
  expect(exportedText(unsaved, 'cancelled')).toBe(
    'Your export is ready: 1 draft and 2 other versions.',
  );
});

it('says that the journal was not fetched to the end', () => {
  expect(exportedText({ ...exported, isPartial: true }, 'cancelled')).toBe(
    'Your export is ready: 1 dog and 2 notes. Part of your journal is not in it, because this device does not have it yet.',
  );
});
