import { createMd5 } from '../../store/files/md5.ts';

/**
 * Replaces `@firebase/webchannel-wrapper/bloom-blob` in the bundles (`scripts/bundle/bundle-aliases.ts`): integers by
 * `BigInt`, and MD5 by the package that the app hashes files with. The methods are the ones that the Firestore SDK calls.
 * The lite SDK orders ids such as `__id42__` by them; the full one also reads Bloom filters, which the server sends for
 * queries, and never for the one document that PawPals listens to.
 */
export class Integer {
  private readonly value: bigint;

  /** @param words the 32-bit words of a non-negative number, the lowest first. */
  constructor(words: readonly number[]) {
    this.value = words.reduceRight((value, word) => (value << 32n) | BigInt(word >>> 0), 0n);
  }

  private static of(value: bigint): Integer {
    return Object.assign(new Integer([]), { value });
  }

  /** Throws a SyntaxError for anything but digits. */
  static fromString(digits: string): Integer {
    return Integer.of(BigInt(digits));
  }

  static fromNumber(value: number): Integer {
    return Integer.of(BigInt(value));
  }

  add({ value }: Integer): Integer {
    return Integer.of(this.value + value);
  }

  multiply({ value }: Integer): Integer {
    return Integer.of(this.value * value);
  }

  modulo({ value }: Integer): Integer {
    return Integer.of(this.value % value);
  }

  /** Returns a negative number, zero or a positive number. */
  compare({ value }: Integer): number {
    return this.value < value ? -1 : Number(this.value > value);
  }

  /** Returns one of its 32-bit words; 0 is the lowest. */
  getBits(index: number): number {
    return Number(BigInt.asUintN(32, this.value >> BigInt(32 * index)));
  }

  toNumber(): number {
    return Number(this.value);
  }
}

export class Md5 {
  private readonly hash = createMd5();

  update(bytes: Uint8Array): void {
    this.hash.update(bytes);
  }

  digest(): Uint8Array {
    return this.hash.digest();
  }
}
