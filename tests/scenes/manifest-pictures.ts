import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import LayoutGrid from 'lucide-react/icons/layout-grid';
import Mic from 'lucide-react/icons/mic';
import NotebookPen from 'lucide-react/icons/notebook-pen';
import { chromium, type Browser, type Page } from 'playwright/test';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { scenes } from './scenes.ts';
import { openStage } from './stage.ts';

/** The screen sizes by the manifest's form factors: a phone, and a desktop window. */
const forms = {
  narrow: { width: 390, height: 844, deviceScaleFactor: 2 },
  wide: { width: 1280, height: 800, deviceScaleFactor: 1 },
} as const;

const shown = [
  ['pets', 'narrow'],
  ['profile', 'narrow'],
  ['profile', 'wide'],
] as const;

const shortcuts = { note: NotebookPen, voice: Mic, pets: LayoutGrid };
const shortcutEdge = 192;

async function takeScenes(browser: Browser, folder: string): Promise<void> {
  const stage = await openStage(browser);
  try {
    for (const [name, form] of shown) {
      const scene = scenes.find((each) => each.name === name);
      if (scene === undefined) throw new Error(`no scene ${name}`);
      const size = forms[form];
      await stage.show(scene, { theme: 'light', ...size }, async (page) => {
        const session = await page.context().newCDPSession(page);
        await session.send('Emulation.setDeviceMetricsOverride', { ...size, mobile: false });
        await page.evaluate(() => document.fonts.ready);
        // Playwright's own screenshot would have one pixel per CSS pixel.
        const { data } = await session.send('Page.captureScreenshot');
        await writeFile(join(folder, `${name}-${form}.png`), Buffer.from(data, 'base64'));
      });
    }
  } finally {
    await stage.close();
  }
}

async function drawShortcut(page: Page, icon: string, path: string): Promise<void> {
  const edge = `width:${shortcutEdge}px;height:${shortcutEdge}px`;
  const centre = 'display:flex;align-items:center;justify-content:center';
  const disc = `<div style="${edge};${centre};border-radius:50%;background:#3e5c3a">${icon}</div>`;
  await page.setContent(`<body style="margin:0;background:transparent">${disc}</body>`);
  await page.screenshot({ path, omitBackground: true });
}

async function drawShortcuts(browser: Browser, folder: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width: shortcutEdge, height: shortcutEdge } });
  for (const [name, Icon] of Object.entries(shortcuts)) {
    const look = { size: shortcutEdge * 0.52, strokeWidth: 1.75, color: '#fbf8f2' };
    const icon = renderToStaticMarkup(createElement(Icon, look));
    await drawShortcut(page, icon, join(folder, `${name}-${shortcutEdge}.png`));
  }
  await page.close();
}

/** Takes the manifest's pictures of the built app. @param publicFolder the folder that the manifest refers to. */
export async function takeManifestPictures(
  publicFolder: string,
  executablePath: string,
): Promise<void> {
  const [screenshots, icons] = [join(publicFolder, 'screenshots'), join(publicFolder, 'shortcuts')];
  for (const folder of [screenshots, icons]) await mkdir(folder, { recursive: true });
  const args = ['--no-sandbox', '--disable-gpu'];
  const browser = await chromium.launch({ executablePath, args });
  try {
    await takeScenes(browser, screenshots);
    await drawShortcuts(browser, icons);
  } finally {
    await browser.close();
  }
}
