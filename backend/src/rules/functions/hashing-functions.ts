import { createHash } from 'node:crypto';
import type { Arguments } from '../methods/method.ts';
import { bytes, expectKind, type RuleValue } from '../rule-value.ts';
import type { Builtins } from './builtin.ts';

function input(args: Arguments): Buffer {
  const value = args.at(0);
  return value.kind === 'string'
    ? Buffer.from(value.value)
    : Buffer.from(expectKind(value, 'bytes').base64, 'base64');
}

/** Bit by bit, with the reflected polynomial; what rules hash is short. */
function checksum(data: Buffer, polynomial: number): RuleValue {
  let crc = 0xff_ff_ff_ff;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? polynomial : 0);
  }
  const result = Buffer.alloc(4);
  result.writeUInt32BE((crc ^ 0xff_ff_ff_ff) >>> 0);
  return bytes(result);
}

const digest = (algorithm: string) => (args: Arguments) =>
  bytes(createHash(algorithm).update(input(args)).digest());

export const HASHING_FUNCTIONS: Builtins = {
  crc32: { arity: 1, call: (args) => checksum(input(args), 0xed_b8_83_20) },
  crc32c: { arity: 1, call: (args) => checksum(input(args), 0x82_f6_3b_78) },
  md5: { arity: 1, call: digest('md5') },
  sha256: { arity: 1, call: digest('sha256') },
};
