import type { Page } from 'playwright';
import { addPet, newEmail, register } from '../../tests/e2e/owner.ts';
import { neverIdle } from '../../tests/support/setups/never-idle.ts';
import { openProfile } from '../run/browser.ts';

const dogName = 'Bramble';

function watchScripts(page: Page): Set<string> {
  const names = new Set<string>();
  page.on('response', (response) => {
    const name = /\/static\/js\/([^/?]+\.js)$/.exec(response.url())?.[1];
    if (name !== undefined) names.add(name);
  });
  return names;
}

/**
 * Returns the scripts that the browser loads for a signed-in owner's return, without a service worker. @returns file
 * names.
 */
export async function scriptsOfFirstView(url: string, profile: string): Promise<Set<string>> {
  const context = await openProfile(profile, { baseURL: url });
  try {
    const visit = await context.newPage();
    await register(visit, newEmail());
    await addPet(visit, dogName);
    await visit.close();
    const page = await context.newPage();
    await page.addInitScript(neverIdle);
    const names = watchScripts(page);
    await page.goto('/');
    await page.getByRole('list', { name: 'Dogs' }).getByText(dogName).waitFor();
    await page.waitForLoadState('networkidle');
    return names;
  } finally {
    await context.close();
  }
}
