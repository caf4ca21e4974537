import { createHash } from 'node:crypto';
import crc32 from 'crc-32';
import crc32c from 'crc-32/crc32c.js';
import type { Arguments } from '../methods/method.ts';
import { bytes, expectKind, type RuleValue } from '../rule-value.ts';
import type { Builtins } from './builtin.ts';

function input(args: Arguments): Buffer {
  const value = args.at(0);
  return value.kind === 'string'
    ? Buffer.from(value.value)
    : Buffer.from(expectKind(value, 'bytes').base64, 'base64');
}

function checksum(crc: number): RuleValue {
  const result = Buffer.alloc(4);
  result.writeInt32BE(crc);
  return bytes(result);
}

const digest = (algorithm: string) => (args: Arguments) =>
  bytes(createHash(algorithm).update(input(args)).digest());

export const HASHING_FUNCTIONS: Builtins = {
  crc32: { arity: 1, call: (args) => checksum(crc32.buf(input(args))) },
  crc32c: { arity: 1, call: (args) => checksum(crc32c.buf(input(args))) },
  md5: { arity: 1, call: digest('md5') },
  sha256: { arity: 1, call: digest('sha256') },
};
