import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright/test';
import type { Scene } from './scene.ts';
import { scenes } from './scenes.ts';
import { openStage, type Look } from './stage.ts';

const phone = { width: 390, height: 844 };
const tablet = { width: 768, height: 1024 };
const laptop = { width: 1280, height: 800 };
const screen = { width: 1920, height: 1080 };
const themes = ['light', 'dark'] as const;

function looksOf({ isWide }: Scene): readonly Look[] {
  const sizes = isWide ? [tablet, laptop, screen] : [phone, laptop];
  return themes.flatMap((theme) => sizes.map((size) => ({ theme, ...size })));
}

/** Writes every scene in both themes at each of its widths. @param only parts of names; none: all. */
export async function takeScreenshots(
  folder: string,
  executablePath: string,
  only: readonly string[],
): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const stage = await openStage(browser);
  try {
    const wanted = scenes.filter(
      ({ name }) => only.length === 0 || only.some((part) => name.includes(part)),
    );
    for (const scene of wanted) {
      for (const look of looksOf(scene)) {
        const path = `${folder}/${scene.name}-${look.width}-${look.theme}.png`;
        await stage.show(scene, look, async (page) => {
          await page.evaluate(() => document.fonts.ready);
          await page.screenshot({ path, animations: 'disabled' });
        });
      }
      process.stdout.write(`${scene.name}\n`);
    }
  } finally {
    await stage.close();
    await browser.close();
  }
}

/** Those that the README shows, of {@link takeScreenshots}. */
const readmePictures = ['pets-390-light', 'profile-390-light', 'profile-390-dark'];

export async function copyReadmePictures(folder: string, docs: string): Promise<void> {
  for (const name of readmePictures) {
    await copyFile(join(folder, `${name}.png`), join(docs, `${name}.png`));
  }
}
