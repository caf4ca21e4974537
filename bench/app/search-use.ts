import type { Page } from 'playwright';
import { wordAt } from '../data/journal-words.ts';
import type { AppOnDevice } from './filled-app.ts';
import { slowedDown, visit } from './visit.ts';

export interface SearchUse {
  /** The time from the opened page until all entries can be found, without a stored index. */
  readonly indexedMs: number;
  /** The time from a keystroke until its hits are painted, once for each word. */
  readonly foundMs: readonly number[];
  /** The longest task while the index is built and searched; 0 if none took more than 50. */
  readonly longestMs: number;
}

const wordsPerRound = 5;

function box(page: Page) {
  return page.getByRole('searchbox', { name: 'Search the journal' });
}

async function findWord(page: Page, word: string): Promise<number> {
  await box(page).fill(word.slice(0, -1));
  await page.getByRole('list', { name: 'Entries' }).waitFor();
  await box(page).press('End');
  await box(page).press(word.at(-1) ?? '');
  return page.evaluate((typed) => window.recorder.found(typed), word);
}

/** Measures an owner who opens the search and types while the index is built, and afterwards. */
export function measureSearch(app: AppOnDevice, round: number): Promise<SearchUse> {
  return visit(app, { isOffline: true, slowdown: slowedDown }, async (page) => {
    await page.goto('/pets');
    await page.getByRole('list', { name: 'Dogs' }).waitFor();
    await page.evaluate(() => window.recorder.forgetSearchIndex());
    await page.waitForLoadState('networkidle');
    await page.evaluate(() => window.recorder.longestTask());
    const startMs = performance.now();
    await page.getByRole('link', { name: 'Search' }).click();
    await box(page).pressSequentially(wordAt(round).slice(0, 3));
    await page
      .getByRole('status')
      .getByText(/^[\d,]+ entries$/)
      .waitFor();
    const indexedMs = performance.now() - startMs;
    const foundMs: number[] = [];
    for (let nth = 1; nth <= wordsPerRound; nth += 1) {
      foundMs.push(await findWord(page, wordAt(round * 100 + nth * 37)));
    }
    const longestMs = await page.evaluate(() => window.recorder.longestTask());
    return { indexedMs, foundMs, longestMs };
  });
}
