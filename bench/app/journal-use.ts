import type { Page } from 'playwright';
import { composer, journal } from '../../tests/e2e/owner.ts';
import type { AppOnDevice } from './filled-app.ts';
import type { NoteSeen } from './recorder.ts';
import { slowedDown, visit } from './visit.ts';

const notesPerRound = 10;
const warmUps = 3;
/** The distance of about one flick of a thumb. */
const wheelStepPx = 3_000;

async function writeNote(page: Page, text: string): Promise<NoteSeen> {
  await composer(page).fill(text);
  await composer(page).press('Enter');
  return page.evaluate(() => window.recorder.lastNote());
}

/** Measures notes that are written one after another. */
export function measureNotes(app: AppOnDevice): Promise<readonly NoteSeen[]> {
  return visit(app, { isOffline: true, slowdown: slowedDown }, async (page) => {
    await page.goto(app.journalPath);
    await journal(page).getByRole('listitem').first().waitFor();
    const seen: NoteSeen[] = [];
    for (let index = 0; index < warmUps + notesPerRound; index += 1) {
      const note = await writeNote(page, `Note ${crypto.randomUUID()}`);
      if (index >= warmUps) seen.push(note);
    }
    return seen;
  });
}

/** Whether the oldest entry is shown: no older page can be requested, and none is on its way, in an empty range. */
function isAtTheEnd(page: Page): Promise<boolean> {
  return journal(page).evaluate(
    (list) =>
      list.previousElementSibling === null && list.firstElementChild?.firstElementChild !== null,
  );
}

/** @returns milliseconds of the longest task on the way from the newest entry to the oldest. */
export function measureScrolling(app: AppOnDevice): Promise<number> {
  return visit(app, { isOffline: true, slowdown: slowedDown }, async (page) => {
    await page.goto(app.journalPath);
    await journal(page).getByRole('listitem').first().waitFor();
    await page.waitForLoadState('networkidle');
    await journal(page).hover();
    await page.evaluate(() => window.recorder.longestTask());
    while (!(await isAtTheEnd(page))) await page.mouse.wheel(0, -wheelStepPx);
    return page.evaluate(() => window.recorder.longestTask());
  });
}
