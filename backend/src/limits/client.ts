/** The client of a request: its network address, and its owner once the token is checked. */
export interface Client {
  /** Null while nobody is signed in. */
  readonly uid: string | null;
  readonly address: string;
}

/** The usual loopback addresses, with ::1 cut to its first half, which no other machine has. Proxies and tests use them. */
const ownMachine = /^(?:127\.0\.0\.1|0:0:0:0)$/;

export const isOwnMachine = (address: string): boolean => ownMachine.test(address);

/** Returns the key of an owner, or of a stranger at an address. */
export const keyOf = ({ uid, address }: Client): string =>
  uid === null ? `stranger ${address}` : `owner ${uid}`;
