/**
 * Replaces `@firebase/webchannel-wrapper/bloom-blob` in the bundles (`scripts/bundle/bundle-aliases.ts`). The Firestore SDK
 * orders ids such as `__id42__` by these integers. Everything else it does with the package is for the Bloom filters that
 * a server sends for queries, and never for the one document that PawPals listens to. The SDK would ignore a filter
 * that it cannot read.
 */
export class Integer {
  /** The SDK also constructs an integer of two words when it is loaded, and uses it for Bloom filters only. */
  private value = 0n;

  /** Throws a SyntaxError for anything but digits. */
  static fromString(digits: string): Integer {
    const integer = new Integer();
    integer.value = BigInt(digits);
    return integer;
  }

  /** Returns a negative number, zero or a positive number. */
  compare({ value }: Integer): number {
    return this.value < value ? -1 : Number(this.value > value);
  }
}

/** The hash of Bloom filters. The SDK imports it, and never constructs one. */
export const Md5 = {};
