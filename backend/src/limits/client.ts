/** The client of a request: its network address, and its owner once the token is checked. */
export interface Client {
  /** Null while nobody is signed in. */
  readonly uid: string | null;
  readonly address: string;
}

/** 127.0.0.1 and the like, and the first half of ::1, which no other machine has. Proxies are there, and tests. */
const ownMachine = /^(?:127\.|0:0:0:0$)/;

export const isOwnMachine = (address: string): boolean => ownMachine.test(address);

/** An owner, or a stranger at an address. */
export const keyOf = ({ uid, address }: Client): string =>
  uid === null ? `stranger ${address}` : `owner ${uid}`;
