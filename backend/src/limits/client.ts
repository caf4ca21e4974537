/** The client of a request: its network address, and its owner once the token is checked. */
export interface Client {
  /** Null while nobody is signed in. */
  readonly uid: string | null;
  readonly address: string;
  /** Aborts once its request or stream is over, and with that the work for it that waits; none for work that is always done. */
  readonly gone?: AbortSignal | undefined;
}

/**
 * The reason with which `gone` aborts. By default it would be an error, whose stack keeps the callers alive: the request, its
 * connection and stream, and through their clients those before them.
 */
export const clientGone = 'gone';

/** Whether it is a usual loopback address, with ::1 cut to its first half, which no other machine has. Proxies use them. */
export const isOwnMachine = (address: string): boolean =>
  address === '127.0.0.1' || address === '0:0:0:0';

/** Returns the key of an owner, or of a stranger at an address. */
export const keyOf = ({ uid, address }: Client): string =>
  uid === null ? `stranger ${address}` : `owner ${uid}`;
