import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { measuredBrowserArgs } from '../../tests/support/browser-args.ts';
import { executablePath } from '../run/browser.ts';

/** An answer or an event of the browser. */
interface Message {
  readonly id?: number;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string };
}

type Send = (
  method: string,
  params?: object,
  sessionId?: string,
) => Promise<Readonly<Record<string, unknown>>>;

/** Opens CDP over the browser's pipe, where a zero byte ends each message. */
function connect(toBrowser: Writable, fromBrowser: Readable): Send {
  const waiting = new Map<number, (message: Message) => void>();
  let rest = '';
  let lastId = 0;
  fromBrowser.setEncoding('utf8').on('data', (text: string) => {
    const messages = (rest + text).split('\0');
    rest = messages.pop() ?? '';
    for (const json of messages) {
      const message: Message = JSON.parse(json);
      waiting.get(message.id ?? 0)?.(message);
      waiting.delete(message.id ?? 0);
    }
  });
  return (method, params = {}, sessionId?: string) => {
    lastId += 1;
    const id = lastId;
    toBrowser.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => {
      waiting.set(id, ({ result, error }) => {
        if (error === undefined) resolve(result ?? {});
        else reject(new Error(`${method}: ${error.message}`));
      });
    });
  };
}

export interface RawVisit {
  readonly profile: string;
  readonly url: string;
  /** The source of a script that runs before the page's own. */
  readonly recorder: string;
  /** The factor by which the page is slowed down. */
  readonly slowdown: number;
  /** An expression whose promise is awaited in the page. */
  readonly until: string;
}

const phone = { width: 390, height: 844, deviceScaleFactor: 1, mobile: true };

/** The measured work is over by then; an earlier evaluation would take time from the page. */
const askedAfterMs = 3_000;

async function visitWith(send: Send, visit: RawVisit): Promise<unknown> {
  const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
  const attached = await send('Target.attachToTarget', { targetId, flatten: true });
  const session = String(attached['sessionId']);
  await send('Page.enable', {}, session);
  await send('Page.addScriptToEvaluateOnNewDocument', { source: visit.recorder }, session);
  await send('Emulation.setDeviceMetricsOverride', phone, session);
  await send('Emulation.setCPUThrottlingRate', { rate: visit.slowdown }, session);
  await send('Page.navigate', { url: visit.url }, session);
  await new Promise((resolve) => setTimeout(resolve, askedAfterMs));
  const asked = { expression: visit.until, awaitPromise: true, returnByValue: true };
  const { result } = await send('Runtime.evaluate', asked, session);
  return Object(result).value;
}

/**
 * Visits a page in a new browser, without Playwright, which makes V8 observe every script from the start, so that it
 * parses cached functions again. @returns the value of the expression.
 */
export async function visitRaw(visit: RawVisit): Promise<unknown> {
  const args = [
    ...measuredBrowserArgs,
    '--headless=new',
    '--remote-debugging-pipe',
    '--lang=en-GB',
  ];
  const folder = `--user-data-dir=${visit.profile}`;
  const child = spawn(executablePath(), [...args, folder, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  const exit = once(child, 'exit');
  const [, , , toBrowser, fromBrowser] = child.stdio;
  // The pipes that the options above request.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const send = connect(toBrowser as Writable, fromBrowser as Readable);
  try {
    return await visitWith(send, visit);
  } finally {
    send('Browser.close').catch(() => undefined);
    await exit;
  }
}
