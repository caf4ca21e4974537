import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMemoryHistory } from '@tanstack/react-router';
import { createStore } from 'jotai';
import { describe, expect, it } from 'vitest';
import { appManifest } from '../../app-manifest.ts';
import { createAppRouter } from './router.ts';

const publicFolder = join(import.meta.dirname, '../../public');

/** Reads width and height from the header of a PNG. */
function sizeOf(src: string): string {
  const bytes = readFileSync(`${publicFolder}${src}`);
  expect(bytes.subarray(1, 4).toString('latin1')).toBe('PNG');
  return `${String(bytes.readUInt32BE(16))}x${String(bytes.readUInt32BE(20))}`;
}

function routeOf(path: string): string {
  const history = createMemoryHistory();
  const router = createAppRouter({ store: createStore(), history, log: () => undefined });
  return router.matchRoutes(path).at(-1)?.fullPath ?? 'none';
}

const { icons = [], screenshots = [], shortcuts = [], share_target: target } = appManifest;

describe('the manifest', () => {
  it.each([...icons, ...screenshots, ...shortcuts.flatMap((each) => each.icons ?? [])])(
    'tells the true size of $src',
    ({ src, sizes, type }) => {
      expect(sizeOf(src)).toBe(sizes);
      expect(type).toBe('image/png');
    },
  );

  it('has the icons that systems ask for, a maskable one apart', () => {
    const told = icons.map(({ sizes, purpose }) => [sizes, purpose]);
    expect(told).toEqual([
      ['192x192', 'any'],
      ['512x512', 'any'],
      ['512x512', 'maskable'],
    ]);
  });

  it('shows the app on a phone and on a desk', () => {
    const told = screenshots.map((each) => each.form_factor);
    expect(new Set(told)).toEqual(new Set(['narrow', 'wide']));
    expect(screenshots.every(({ label }) => label !== undefined && label !== '')).toBe(true);
  });

  it('leads to pages that there are, within its scope', () => {
    const { id, scope, start_url: start = '' } = appManifest;
    expect([id, scope, routeOf(start)]).toEqual(['/', '/', '/']);
    expect(shortcuts.map(({ name, url }) => [name, routeOf(url)])).toEqual([
      ['New note', '/quick/note'],
      ['Record voice note', '/quick/voice'],
      ['My Dogs', '/pets/'],
    ]);
    expect(routeOf(target?.action ?? '')).toBe('/quick/share');
  });
});
