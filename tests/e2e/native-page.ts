import type { BrowserContext, Page } from 'playwright/test';
import {
  fileBytes,
  nativeSideScript,
  type NativeAnswers,
  type NativeCallSeen,
} from '../support/fakes/native-side.ts';
import { readNativePolicy, withPolicy } from '../../scripts/native/native-policy.ts';

const root = new URL('../..', import.meta.url).pathname;

/**
 * Turns the pages of a device into those of the native wrapper: with Android's own bridge script, this test as its
 * native side, and the content security policy of the wrapper's build.
 */
export async function wrapNatively(
  context: BrowserContext,
  answers: NativeAnswers = {},
): Promise<void> {
  const policy = await readNativePolicy(root, []);
  await context.route('**/*', async (route) => {
    if (!route.request().isNavigationRequest()) return route.fallback();
    const response = await route.fetch();
    return route.fulfill({ response, body: withPolicy(await response.text(), policy) });
  });
  await context.addInitScript({ content: await nativeSideScript({ answers, system: 'android' }) });
}

export function nativeCalls(page: Page, name: string): Promise<NativeCallSeen[]> {
  return page.evaluate(
    (wanted) => window.nativeSide.calls.filter((call) => call.name === wanted),
    name,
  );
}

/** Emits an event as the native system does. */
export function emitNatively(page: Page, name: string, data: object): Promise<void> {
  return page.evaluate((event) => window.nativeSide.emit(event.name, event.data), { name, data });
}

/** Sets the native side's answer to later calls. */
export function answerNatively(page: Page, name: string, data: object): Promise<void> {
  return page.evaluate((answer) => window.nativeSide.answer(answer.name, answer.data), {
    name,
    data,
  });
}

export interface SharedFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Returns the last file that the app handed to the share sheet. */
export async function sharedFile(page: Page): Promise<SharedFile> {
  const { name, pieces } = await page.evaluate(() => {
    const { options } =
      window.nativeSide.calls.findLast(({ name: called }) => called === 'Share.share') ?? {};
    const [uri] = Array.isArray(options?.['files']) ? options['files'] : [];
    return { name: String(options?.['title']), pieces: window.nativeSide.file(String(uri)) ?? [] };
  });
  return { name, bytes: fileBytes(pieces) };
}
