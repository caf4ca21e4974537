interface NumericId {
  readonly value: bigint;
  /** Returns a negative number, zero or a positive number, like the SDK's own `Integer`. */
  readonly compare: (other: NumericId) => number;
}

/**
 * Replaces `@firebase/webchannel-wrapper/bloom-blob` in the worker's bundle (`scripts/bundle/bundle-aliases.ts`). The lite SDK takes
 * one thing from that package: 64-bit integers, to order ids such as `__id42__`. The full SDK of the page needs all of it.
 */
export const Integer = {
  /** Throws a SyntaxError for anything but digits. */
  fromString(digits: string): NumericId {
    const value = BigInt(digits);
    return {
      value,
      compare: (other) => (value < other.value ? -1 : Number(value > other.value)),
    };
  },
};
