import type { Page } from 'playwright/test';
import { exportFormat, exportListName, exportVersion } from '../../schemas/export-file.ts';
import { createZipWriter } from '../../src/lib/zip/zip-writer.ts';
import { expect } from './fixtures.ts';

export interface ImportedNote {
  readonly id: string;
  readonly createdMs: number;
  readonly text: string;
}

async function exportOf(notes: readonly ImportedNote[]): Promise<Buffer> {
  const list = {
    format: exportFormat,
    version: exportVersion,
    exportedAt: new Date().toISOString(),
    owner: 'somebody',
    pets: [{ id: 'bramble', name: 'Bramble', picture: null, edits: {} }],
    entries: notes.map(({ id, createdMs, text }) => {
      const createdDate = new Date(createdMs).toISOString();
      return { petId: 'bramble', type: 'note', recording: null, edits: {}, id, createdDate, text };
    }),
  };
  const zip = createZipWriter();
  const content = new Blob([JSON.stringify(list)]);
  await zip.add({ name: exportListName, content, modifiedMs: Date.now(), isText: true });
  return Buffer.from(await zip.finish().arrayBuffer());
}

/** Imports Bramble with these notes, which takes moments where typing them would take half a minute. */
export async function importNotes(page: Page, notes: readonly ImportedNote[]): Promise<void> {
  await page.goto('/settings');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a file' }).click();
  const buffer = await exportOf(notes);
  await (await chooser).setFiles({ name: 'pawpals.zip', mimeType: 'application/zip', buffer });
  await page.getByRole('alertdialog').getByRole('button', { name: 'Import' }).click();
  const done = `Imported: 1 dog and ${notes.length} notes.`;
  await expect(page.getByRole('main').getByText(done)).toBeVisible();
}
