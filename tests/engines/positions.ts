import type { EnginePage } from './engine.ts';

declare global {
  interface Window {
    /** Added by the test. */
    shownPositions?: number[];
  }
}

/**
 * Begins to note the positions that a recording shows from the moment it plays. On a machine without a loudspeaker
 * Firefox ends it within milliseconds.
 */
export async function watchPositions(page: EnginePage, css: string): Promise<void> {
  await page.evaluate((note) => {
    const positions: number[] = [];
    window.shownPositions = positions;
    new MutationObserver(() => {
      const isPlaying = document.querySelector(`${note} [aria-label=Pause]`) !== null;
      if (!isPlaying && positions.length === 0) return;
      const { value = 0, max = 0 } =
        document.querySelector<HTMLInputElement>(`${note} input`) ?? {};
      positions.push(Number(value) / Number(max));
    }).observe(document.body, { attributes: true, childList: true, subtree: true });
    return null;
  }, css);
}

/** @returns the positions, 0 to 1 (the end), null while it has not begun or not ended. */
export function positionsOfPlay(page: EnginePage, css: string): Promise<readonly number[] | null> {
  return page.evaluate((note) => {
    const positions = window.shownPositions ?? [];
    const isPlaying = document.querySelector(`${note} [aria-label=Pause]`) !== null;
    return isPlaying || positions.length === 0 ? null : positions;
  }, css);
}
