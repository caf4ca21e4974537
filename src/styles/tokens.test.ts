import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');

type Tokens = ReadonlyMap<string, string>;

function tokensOf(block: string): Tokens {
  return new Map(
    [...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6});/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );
}

const [lightBlock = '', darkBlock = ''] = css.split('@media (prefers-color-scheme: dark)');
const light = tokensOf(lightBlock);
const dark = tokensOf(darkBlock);

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const channel = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return channel <= 0.040_45 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the contrast ratio, as WCAG 2 defines it. */
function contrast(tokens: Tokens, text: string, background: string): number {
  const [one = 0, two = 0] = [text, background]
    .map((name) => luminance(tokens.get(name) ?? '#ffffff'))
    .toSorted((a, b) => b - a);
  return (one + 0.05) / (two + 0.05);
}

const surfaces = ['paper', 'card', 'card-strong'];
const pets = Array.from({ length: 8 }, (_, index) => `dog-${String(index)}`);

const textPairs: readonly (readonly [text: string, background: string])[] = [
  ...['ink', 'ink-soft', 'danger'].flatMap((text) => surfaces.map((on) => [text, on] as const)),
  ['ink', 'line'],
  ['danger', 'line'],
  ['ink', 'bracken-soft'],
  ['moss', 'paper'],
  ['moss', 'card'],
  ['bracken', 'paper'],
  ['bracken', 'bracken-soft'],
  ['ink', 'heather-soft'],
  ['ink-soft', 'heather-soft'],
  ['heather', 'heather-soft'],
  ['heather', 'card-strong'],
  ['on-moss', 'moss'],
  ['on-moss', 'moss-strong'],
  ['on-danger', 'danger'],
  ['on-danger', 'danger-strong'],
  ...pets.map((pet) => ['dog-ink', pet] as const),
];

const shapePairs: readonly (readonly [shape: string, background: string])[] = [
  ['field-line', 'paper'],
  ['moss', 'card'],
  ['moss', 'card-strong'],
];

describe.each([
  ['light', light],
  ['dark', dark],
])('%s colours', (_scheme, tokens) => {
  it('are all there', () => {
    expect([...tokens.keys()]).toEqual([...light.keys()]);
    const missing = [...textPairs, ...shapePairs].flat().filter((name) => !tokens.has(name));
    expect(missing).toEqual([]);
  });

  it.each(textPairs)('%s on %s can be read', (text, background) => {
    expect(contrast(tokens, text, background)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(shapePairs)('%s on %s can be made out', (shape, background) => {
    expect(contrast(tokens, shape, background)).toBeGreaterThanOrEqual(3);
  });
});
