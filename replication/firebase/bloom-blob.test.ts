// The SDK's own classes, which the bundles do without.
import * as sdk from '@firebase/webchannel-wrapper/bloom-blob';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { fuzzSeed } from '../../tests/support/fuzz-runs.ts';
import { Integer, Md5 } from './bloom-blob.ts';

const word = fc.integer({ min: 0, max: 0xff_ff_ff_ff });
const words = fc.tuple(word, word);
const positive = fc.integer({ min: 1, max: 2 ** 31 });
/** The size of a Bloom filter in bits, and the number of a hash. */
const sizes = fc.record({ round: positive, size: positive });

/** The methods by which the SDK calculates. */
type Calculable<Self> = Pick<Integer, 'getBits' | 'toNumber'> & {
  add(other: Self): Self;
  multiply(other: Self): Self;
  modulo(other: Self): Self;
  compare(other: Self): number;
};

interface Numbers<Self> {
  new (words: number[], sign: number): Self;
  fromNumber(value: number): Self;
}

/** Returns the position of a bit in a Bloom filter, as the SDK calculates it from two halves of a hash. */
function positionBy<Self extends Calculable<Self>>(
  Numbers: Numbers<Self>,
  [first, second]: readonly [number[], number[]],
  { round, size }: { readonly round: number; readonly size: number },
): number {
  const largest = new Numbers([0xff_ff_ff_ff, 0xff_ff_ff_ff], 0);
  const step = new Numbers(second, 0).multiply(Numbers.fromNumber(round));
  const sum = new Numbers(first, 0).add(step);
  const wrapped =
    sum.compare(largest) === 1 ? new Numbers([sum.getBits(0), sum.getBits(1)], 0) : sum;
  return wrapped.modulo(Numbers.fromNumber(size)).toNumber();
}

it('orders numbers beyond the precision of a double, as the Firestore SDK expects', () => {
  const lower = Integer.fromString('9007199254740992');
  const higher = Integer.fromString('9007199254740993');
  expect(lower.compare(higher)).toBeLessThan(0);
  expect(higher.compare(lower)).toBeGreaterThan(0);
  expect(lower.compare(Integer.fromString('9007199254740992'))).toBe(0);
});

it('refuses what is no number', () => {
  expect(() => Integer.fromString('4x')).toThrow(SyntaxError);
});

it('finds the bits of a Bloom filter that the classes of the SDK find', () => {
  fc.assert(
    fc.property(words, words, sizes, (first, second, each) => {
      const own = positionBy(Integer, [first, second], each);
      expect(own).toBe(positionBy(sdk.Integer, [first, second], each));
    }),
    fuzzSeed,
  );
});

it('hashes as the class of the SDK does', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const [own, theirs] = [new Md5(), new sdk.Md5()];
      own.update(bytes);
      theirs.update(bytes);
      expect(own.digest()).toEqual(new Uint8Array(theirs.digest()));
    }),
    fuzzSeed,
  );
});
