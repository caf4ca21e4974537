import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { object, optional, parse, string } from 'valibot';
import type { Engine, EngineDevice, EnginePage, Wrapper } from './engine.ts';
import { pageScript } from './page-script.ts';
import { until } from './until.ts';
import { openSession, type WebDriverSession } from './web-driver.ts';

const browserProgram = new URL('webkit-browser.py', import.meta.url).pathname;
/** The protocol names elements by this key. */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf';
const elementSchema = object({ [elementKey]: string() });
const scriptAnswerSchema = object({ text: optional(string()), error: optional(string()) });
const windowSchema = object({ handle: string() });
const keys = { Enter: '\uE007', Escape: '\uE00C' };

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function toEnginePage(session: WebDriverSession, window: string): EnginePage {
  const get = (path: string) => session.command(window, { method: 'GET', path });
  const post = (path: string, body: unknown) =>
    session.command(window, { method: 'POST', path, body });
  const act = (...actions: unknown[]) => post('/actions', { actions });
  const typed = (characters: readonly string[]) =>
    act({
      type: 'key',
      id: 'keyboard',
      actions: characters.flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]),
    });
  return {
    goto: async (url) => {
      await post('/url', { url });
    },
    back: async () => {
      await post('/back', {});
    },
    evaluate: async (work, ...args) => {
      const script = `const done = arguments[arguments.length - 1];
        ${pageScript(work, args)}.then((text) => done({ text }), (error) => done({ error: String(error) }));`;
      const answer = await session.command(window, {
        method: 'POST',
        path: '/execute/async',
        body: { script, args: [] },
        isRepeatable: true,
      });
      const { text, error } = parse(scriptAnswerSchema, answer);
      if (text === undefined) throw new Error(error);
      return JSON.parse(text);
    },
    inject: async (script) => {
      await post('/execute/sync', { script, args: [] });
    },
    clickAt: async (x, y, clicks = 1) => {
      const click = [
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ];
      await act({
        type: 'pointer',
        id: 'mouse',
        parameters: { pointerType: 'mouse' },
        actions: [
          { type: 'pointerMove', x: Math.round(x), y: Math.round(y), duration: 0 },
          ...Array.from({ length: clicks }, () => click).flat(),
        ],
      });
    },
    type: async (text) => {
      await typed(Array.from(text));
    },
    press: async (key) => {
      await typed([keys[key]]);
    },
    setFile: async (selector, path) => {
      const found = await post('/element', { using: 'css selector', value: selector });
      const { [elementKey]: id } = parse(elementSchema, found);
      await post(`/element/${id}/value`, { text: path });
    },
    // Each tab is a window of its own, and none covers another one whole.
    show: () => Promise.resolve(),
    screenshot: async () => Buffer.from(String(await get('/screenshot')), 'base64'),
    close: async () => {
      await session.command(window, { method: 'DELETE', path: '/window' });
    },
  };
}

/** A screen and a driver for one device. */
async function startDriver(display: string, folder: string) {
  const port = await freePort();
  const child = spawn('dbus-run-session', ['--', 'WebKitWebDriver', '-p', String(port)], {
    env: {
      ...process.env,
      DISPLAY: display,
      HOME: folder,
      LANG: 'C.UTF-8',
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
      GDK_BACKEND: 'x11',
      NO_AT_BRIDGE: '1',
      LIBGL_ALWAYS_SOFTWARE: '1',
    },
    stdio: process.env['ENGINES_DEBUG'] ? 'inherit' : 'ignore',
    detached: true,
  });
  const url = `http://127.0.0.1:${String(port)}`;
  await until('the driver of WebKit', () =>
    fetch(`${url}/status`).then(
      () => true,
      () => null,
    ),
  );
  return { url, child };
}

/** With all that it has started. */
async function endGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exit = once(child, 'exit');
  process.kill(-child.pid, 'SIGTERM');
  await exit;
}

async function openDevice(display: string, wrapper?: Wrapper): Promise<EngineDevice> {
  const folder = await mkdtemp(join(tmpdir(), 'pawpals-webkit-'));
  const downloads = join(folder, 'downloads');
  await mkdir(downloads);
  if (wrapper !== undefined) {
    await symlink(wrapper.pages, join(folder, 'pages'));
    await writeFile(join(folder, 'start.js'), wrapper.startScript);
  }
  const driver = await startDriver(display, folder);
  let session: WebDriverSession | null = null;
  let isFresh = false;

  const start = (): Promise<WebDriverSession> => {
    isFresh = true;
    return openSession(driver.url, {
      timeouts: { script: 60_000, pageLoad: 60_000 },
      'webkitgtk:browserOptions': {
        binary: '/usr/bin/python3',
        args: [browserProgram, '--automation', folder],
      },
    });
  };
  const quit = async (): Promise<void> => {
    await session?.command(null, { method: 'DELETE', path: '' });
    session = null;
  };

  return {
    downloads,
    newPage: async () => {
      session ??= await start();
      const first = await session.command(null, { method: 'GET', path: '/window' });
      if (isFresh) {
        isFresh = false;
        return toEnginePage(session, parse(string(), first));
      }
      const opened = await session.command(null, {
        method: 'POST',
        path: '/window/new',
        body: { type: 'window' },
      });
      return toEnginePage(session, parse(windowSchema, opened).handle);
    },
    resize: async ({ width, height }) => {
      await session?.command(null, {
        method: 'POST',
        path: '/window/rect',
        body: { width, height },
      });
    },
    quit,
    forget: async () => {
      await quit();
      await rm(join(folder, 'profile'), { recursive: true, force: true });
    },
    dispose: async () => {
      await quit();
      await endGroup(driver.child);
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** A screen that nobody sees, on a number that is free. */
async function startScreen(): Promise<{ readonly display: string; readonly child: ChildProcess }> {
  const args = ['-displayfd', '3', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'];
  const child = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const [, , , answer] = child.stdio;
  if (!(answer instanceof Readable)) throw new Error('no pipe');
  for await (const line of createInterface({ input: answer })) {
    return { display: `:${line.trim()}`, child };
  }
  throw new Error('Xvfb did not start');
}

export async function createWebKit(): Promise<Engine> {
  const screen = await startScreen();
  return {
    name: 'webkit',
    newDevice: () => openDevice(screen.display),
    newWrapper: (wrapper) => openDevice(screen.display, wrapper),
    close: async () => {
      const exit = once(screen.child, 'exit');
      screen.child.kill();
      await exit;
    },
  };
}
