import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import * as v from 'valibot';
import { createSeal } from './seal.ts';

const schema = v.object({ uid: v.string() });
const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 });

it('a record opens for its key and its purpose, and with no character changed', () => {
  const key = newKey();
  const records = createSeal({ key, purpose: 'a', schema });
  const sealed = records.seal({ uid: 'rex' });
  expect(records.open(sealed)).toEqual({ uid: 'rex' });
  expect(createSeal({ key, purpose: 'a', schema }).open(sealed)).toEqual({ uid: 'rex' });
  expect(createSeal({ key, purpose: 'b', schema }).open(sealed)).toBeUndefined();
  expect(createSeal({ key: newKey(), purpose: 'a', schema }).open(sealed)).toBeUndefined();
  for (let at = 0; at < sealed.length; at += 1) {
    const other = sealed[at] === 'A' ? 'B' : 'A';
    expect(records.open(sealed.slice(0, at) + other + sealed.slice(at + 1))).toBeUndefined();
  }
  for (const each of ['', '.', `${sealed}.`, `${sealed}A`, sealed.slice(0, -1)]) {
    expect(records.open(each)).toBeUndefined();
  }
});

it('a record of another form does not open, and is no error', () => {
  const key = newKey();
  const sealed = createSeal({ key, purpose: 'a', schema: v.any() }).seal({ name: 'rex' });
  expect(createSeal({ key, purpose: 'a', schema }).open(sealed)).toBeUndefined();
});
