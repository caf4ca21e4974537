import { expect, type Page } from 'playwright/test';
import { of } from './scene.ts';

const full = of('full');

async function exportAll(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const main = page.getByRole('main');
  await expect(main.getByText(/Your export is ready/)).toBeVisible();
  await main.getByRole('button', { name: 'Save again' }).scrollIntoViewIfNeeded();
}

async function chooseFile(
  page: Page,
  file: { readonly name: string; readonly mimeType: string; readonly buffer: Buffer },
): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a file' }).click();
  await (await chooser).setFiles({ ...file });
}

async function askToImport(page: Page): Promise<void> {
  const coming = page.waitForEvent('download');
  await exportAll(page);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a file' }).click();
  await (await chooser).setFiles(await (await coming).path());
  await expect(page.getByRole('alertdialog', { name: 'Import this file?' })).toBeVisible();
}

async function refuseFile(page: Page): Promise<void> {
  const buffer = Buffer.from('no zip at all');
  await chooseFile(page, { name: 'holiday.zip', mimeType: 'application/zip', buffer });
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible();
  await page.getByRole('main').getByRole('button', { name: 'Close' }).scrollIntoViewIfNeeded();
}

async function askAboutStorage(page: Page): Promise<void> {
  const line = page.getByText('Storage on this device');
  await line.click();
  await page.getByRole('link', { name: 'Delete Account' }).scrollIntoViewIfNeeded();
  await expect(page.getByText(/^Your browser/)).toBeVisible();
}

/** Keeps the export running: the replaced compression never ends. */
async function exportForEver(page: Page): Promise<void> {
  await page.evaluate(
    'CompressionStream = function () { return { readable: new ReadableStream(), writable: new WritableStream() } }',
  );
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await expect(page.getByRole('progressbar')).toBeVisible();
  await page.getByRole('button', { name: 'Stop' }).scrollIntoViewIfNeeded();
}

/** The states of exporting and importing an owner's data. */
export const dataStates = [
  full('settings-storage', '/settings', askAboutStorage),
  full('settings-exporting', '/settings', exportForEver),
  full('settings-exported', '/settings', exportAll),
  full('settings-import-asked', '/settings', askToImport),
  full('settings-import-refused', '/settings', refuseFile),
];
