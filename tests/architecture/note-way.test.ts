import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './seeded-tree.ts';

/** The largest numbers that the way of a note from one device to another may have. */
const mostSteps = 32;
const mostForms = 4;

function readWay(): string {
  const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  const [, way = ''] = /^## The way of one note$(.*?)^## /ms.exec(text) ?? [];
  return way;
}

function numbersIn(way: string, pattern: RegExp): number[] {
  return [...way.matchAll(pattern)].map(([, number]) => Number(number));
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

it('the way of a note has no more steps than before, each a function of its own line', () => {
  const way = readWay();
  const steps = numbersIn(way, /^(\d+)\. \[`\w+`\]\([^)]+\)/gm);
  expect(steps).toEqual(upTo(steps.length));
  expect(steps.length).toBeGreaterThan(20);
  expect(steps.length).toBeLessThanOrEqual(mostSteps);
  expect(way).toContain(`The way has ${String(steps.length)} steps`);
});

it('the way of a note has no more changes of form than before', () => {
  const forms = numbersIn(readWay(), /\*\*form (\d+)\*\*/g);
  expect(forms).toEqual(upTo(forms.length));
  expect(forms.length).toBeGreaterThan(2);
  expect(forms.length).toBeLessThanOrEqual(mostForms);
});
