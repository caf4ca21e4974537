import { expect, it, vi } from 'vitest';
import type { Transfers } from './transfers.ts';
import { exportFile, savedText, tellSaved } from './save-export.ts';

it('returns a message for each outcome, none for a closed sheet, and throws if saving failed', async () => {
  expect(savedText('saved')).toBe('Saved.');
  expect(savedText('shared')).toBe('Shared.');
  expect(savedText('cancelled')).toBe('');
  expect(savedText('needs-tap')).toBe('Tap once more to save the file.');
  expect(() => savedText('failed')).toThrow('The file could not be saved. Make room');
  expect(await tellSaved(Promise.resolve('shared'))).toEqual({ said: 'Shared.' });
});

it('exports to a file of the name and type of the zip', async () => {
  const zip = new Blob(['content'], { type: 'application/zip' });
  const contents = { pets: 1, notes: 0, voiceNotes: 0, missingFiles: 0 };
  const exportZip = vi.fn<Transfers['exportZip']>(async (_, { signal, onProgress }) => {
    signal.throwIfAborted();
    onProgress({ done: 0, total: 0 });
    return { fileName: 'pawpals.zip', zip, ...contents };
  });
  const transfers = async () => ({ exportZip, openImport: vi.fn<Transfers['openImport']>() });
  const scope = { kind: 'pet', petId: 'p1' } as const;
  const file = await exportFile({ transfers }, scope);
  expect([file.name, file.type, await file.text()]).toEqual([
    'pawpals.zip',
    'application/zip',
    'content',
  ]);
  expect(exportZip.mock.calls[0]?.[0]).toBe(scope);
});
