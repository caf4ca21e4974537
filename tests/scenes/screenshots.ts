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

/** Every size at which the app is reviewed before a release. */
const everySize = [{ width: 360, height: 740 }, phone, tablet, laptop, screen];

function looksOf({ isWide }: Scene, isEverySize: boolean): readonly Look[] {
  const usual = isWide ? [tablet, laptop, screen] : [phone, laptop];
  const sizes = isEverySize && isWide !== true ? everySize : usual;
  return themes.flatMap((theme) => sizes.map((size) => ({ theme, ...size })));
}

export interface Wanted {
  /** Parts of scene names; an empty list selects all scenes. */
  readonly only: readonly string[];
  readonly isEverySize: boolean;
}

/** Writes a screenshot of each wanted scene in both themes and at each of its sizes. */
export async function takeScreenshots(
  folder: string,
  executablePath: string,
  { only, isEverySize }: Wanted,
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
      for (const look of looksOf(scene, isEverySize)) {
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

/** The results of {@link takeScreenshots} that the README shows. */
const readmePictures = ['pets-390-light', 'profile-390-light', 'profile-390-dark'];

export async function copyReadmePictures(folder: string, docs: string): Promise<void> {
  for (const name of readmePictures) {
    await copyFile(join(folder, `${name}.png`), join(docs, `${name}.png`));
  }
}
