import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';

const { toSorted } = Array.prototype;

beforeEach(() => {
  document.body.innerHTML = '<div id="root"><p>PawPals</p></div>';
});

afterEach(() => {
  Reflect.defineProperty(Array.prototype, 'toSorted', { configurable: true, value: toSorted });
});

async function run(): Promise<void> {
  const code = await readFile('public/old-browser.js', 'utf8');
  // The page runs the file as a classic script.
  // oxlint-disable-next-line no-new-func, typescript/no-implied-eval
  new Function(code)();
}

it('leaves the page of a browser that can run the app as it is', async () => {
  await run();
  expect(document.querySelector('#root')?.textContent).toBe('PawPals');
});

it('tells an older browser the requirements of the app, and leaves it no element to start in', async () => {
  Reflect.deleteProperty(Array.prototype, 'toSorted');
  await run();
  expect(document.querySelector('#root')).toBeNull();
  expect(document.querySelector('[role=alert]')?.textContent).toMatch(
    /^PawPals needs a newer browser: Chrome 110, Firefox 115, Safari 16.4 or later\./,
  );
});

it('is written in ES5, which every browser can read', async () => {
  const code = await readFile('public/old-browser.js', 'utf8');
  expect(code).not.toMatch(/=>|`|\b(?:const|let|class)\b|\?\.|\?\?/);
});
