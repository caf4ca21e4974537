import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Browser, type BrowserContext, type Page } from 'playwright/test';
import { createBackend } from '../../backend/src/server.ts';
import { demoOwner, seedDemoOwner } from '../../scripts/demo-owner/demo-owner.ts';
import { expectSynced, submitSignIn } from '../e2e/owner.ts';
import { emptyPage } from '../e2e/profiles.ts';
import { deployedFiles } from '../support/built-app/deployed-files.ts';
import { fullOwner, seedFullOwner } from './full-owner.ts';
import type { Scene, Viewer } from './scene.ts';

export interface Look {
  readonly theme: 'light' | 'dark';
  readonly width: number;
  readonly height: number;
}

/** The built app with the demo owner on its backend, and a browser profile for each viewer. */
export interface Stage {
  /** Shows a scene while the work runs. A viewer's scenes share a tab, whose process has compiled the app's code. */
  show(scene: Scene, look: Look, work: (page: Page) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

const dist = new URL('../../dist', import.meta.url).pathname;
const demoFolder = new URL('../../scripts/demo-owner', import.meta.url).pathname;

/** Every owner on the stage has the same password. */
async function signIn(page: Page, email: string): Promise<void> {
  await page.goto('/auth/login');
  await submitSignIn(page, email, demoOwner.password);
  await expect(page.getByRole('heading', { name: 'My Dogs' })).toBeVisible();
  await expectSynced(page);
}

const emails: Readonly<Record<Viewer, string | null>> = {
  stranger: null,
  arriving: null,
  workerless: demoOwner.email,
  demo: demoOwner.email,
  new: 'new@pawpals.example',
  full: fullOwner.email,
};

export async function openStage(browser: Browser): Promise<Stage> {
  const dataDir = await mkdtemp(join(tmpdir(), 'pawpals-stage-'));
  const backend = await createBackend({
    dataDir,
    staticDir: dist,
    passwordCost: 1_024,
    ...deployedFiles,
    seed: async (target) => {
      await seedDemoOwner(target, demoFolder);
      await seedFullOwner(target);
      await target.accounts.createUser({
        email: 'new@pawpals.example',
        password: demoOwner.password,
      });
    },
  });
  const profiles = new Map<Viewer, Promise<BrowserContext>>();
  const openProfile = async (viewer: Viewer): Promise<BrowserContext> => {
    const context = await browser.newContext({
      baseURL: backend.url,
      locale: 'en-GB',
      serviceWorkers: viewer === 'workerless' ? 'block' : 'allow',
    });
    const email = emails[viewer];
    if (email === null) return context;
    const page = await context.newPage();
    await signIn(page, email);
    return context;
  };
  const profileOf = (viewer: Viewer): Promise<BrowserContext> => {
    // A visitor about to sign in needs an unused profile each time.
    if (viewer === 'arriving') return openProfile(viewer);
    const profile = profiles.get(viewer) ?? openProfile(viewer);
    profiles.set(viewer, profile);
    return profile;
  };

  return {
    async show(scene, { theme, width, height }, work) {
      const context = await profileOf(scene.viewer);
      const page = context.pages()[0] ?? (await context.newPage());
      try {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
        await page.setViewportSize({ width, height });
        await page.goto(scene.path);
        await scene.prepare(page);
        await work(page);
      } finally {
        if (scene.viewer === 'arriving') await context.close();
        else await emptyPage(page);
        if (scene.addsScript) await page.close();
      }
    },
    async close() {
      for (const profile of profiles.values()) await (await profile).close();
      await backend.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
