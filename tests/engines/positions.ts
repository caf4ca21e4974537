import type { EnginePage } from './engine.ts';

declare global {
  interface Window {
    /** Added by the test. */
    shownPositions?: number[];
  }
}

/** Begins to note the positions that a recording shows while it plays. A short one may end before the next question. */
export async function watchPositions(page: EnginePage, css: string): Promise<void> {
  await page.evaluate((note) => {
    const positions: number[] = [];
    window.shownPositions = positions;
    new MutationObserver(() => {
      if (!document.querySelector(`${note} [aria-label=Pause]`)) return;
      positions.push(Number(document.querySelector<HTMLInputElement>(`${note} input`)?.value));
    }).observe(document.body, { attributes: true, childList: true, subtree: true });
    return null;
  }, css);
}

/** @returns the positions in seconds, null while it has not begun or not ended. */
export function positionsOfPlay(page: EnginePage, css: string): Promise<readonly number[] | null> {
  return page.evaluate((note) => {
    const positions = window.shownPositions ?? [];
    const isPlaying = document.querySelector(`${note} [aria-label=Pause]`) !== null;
    return isPlaying || positions.length === 0 ? null : positions;
  }, css);
}
