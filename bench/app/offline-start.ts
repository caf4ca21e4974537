import type { AppOnDevice } from './filled-app.ts';
import type { ListName } from './recorder.ts';
import { visit } from './visit.ts';

export interface StartRequest {
  readonly path: string;
  /** The list whose first item counts as the content. */
  readonly list: ListName;
  readonly slowdown: number;
}

/** Returns milliseconds from the visit of a path until its content is painted. */
export function measureOfflineStart(
  app: AppOnDevice,
  { path, list, slowdown }: StartRequest,
): Promise<number> {
  return visit(app, { isOffline: true, slowdown }, async (page) => {
    await page.goto(path, { waitUntil: 'commit' });
    return page.evaluate((name) => window.recorder.firstItemAt(name), list);
  });
}
