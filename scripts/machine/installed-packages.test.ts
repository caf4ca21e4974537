import { expect, it } from 'vitest';
import { isInstalled } from './installed-packages.mjs';

const locked = {
  '': { name: 'pawpals' },
  backend: { version: '0.1.0' },
  'node_modules/@pawpals/backend': { resolved: 'backend', link: true },
  'node_modules/vite': { version: '8.3.8' },
  'node_modules/vite/node_modules/esbuild': { version: '0.27.0' },
  'node_modules/fsevents': { version: '2.3.3', optional: true },
};
const { '': _root, 'node_modules/fsevents': _other, ...installed } = locked;

const check = (changes: object, of: object = installed) =>
  isInstalled({ packages: locked }, { packages: { ...of, ...changes } });

it('the packages of the lock file are installed, but for those of other platforms', () => {
  expect(check({})).toBe(true);
  expect(check({ 'node_modules/@huggingface/transformers': { version: '4.3.1' } })).toBe(true);
  expect(check({ 'node_modules/fsevents': { version: '2.3.3' } })).toBe(true);
});

it.each([
  ['nothing', () => check({}, {})],
  ['another version', () => check({ 'node_modules/vite': { version: '8.3.7' } })],
  ['another optional version', () => check({ 'node_modules/fsevents': { version: '2.3.2' } })],
  ['a package too few', () => check({ 'node_modules/vite': undefined })],
])('with %s they are not', (_name, isSame) => {
  expect(isSame()).toBe(false);
});
