import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '../random.ts';
import type { Wire, WireAnswer, WireRequest } from '../../support/clients/wire.ts';
import { abridge, type Journal } from '../supervised/journal.ts';

/** One client of an entrance, with a randomness, an account and a network address of its own. */
export interface Lane {
  readonly entrance: string;
  /** Different for each lane of the run; names of what it writes begin with it. */
  readonly id: string;
  readonly random: Random;
  readonly wire: Wire;
  readonly port: number;
  /** Of its network address. */
  readonly host: number;
  readonly token: string;
  readonly journal: Journal;
}

/** One random input. It rejects for an answer that no input may get, and is asked for the next one otherwise. */
export type Step = () => Promise<void>;

export type Entrance = (lane: Lane) => Step;

const TOO_MANY = 429;
/** A client that is over a limit comes back when it was told to, and not later than this. */
const MAX_RETRY_MS = 1000;

/** Sends a request, notes it, and @throws if the answer is a 500. */
export async function ask(lane: Lane, asked: WireRequest): Promise<WireAnswer> {
  const end = lane.journal.begin(lane.entrance, describe(asked));
  const answer = await lane.wire.ask(asked);
  check(answer, asked);
  if (answer.status === TOO_MANY) {
    await wait(Math.min(MAX_RETRY_MS, Number(answer.headers['retry-after'] ?? 1) * 1000));
  }
  end(answer.status);
  return answer;
}

function check({ status, bytes }: WireAnswer, asked: WireRequest): void {
  if (status === 500) throw new Error(`500 ${bytes.toString()} for ${abridge(describe(asked))}`);
}

const describe = ({ method, path, headers = {}, body = '' }: WireRequest): string =>
  `${method} ${path} ${JSON.stringify(headers)} ${bodyText(body)}`;

const bodyText = (body: string | Uint8Array): string =>
  typeof body === 'string'
    ? body
    : `latin1 ${JSON.stringify(Buffer.from(body).toString('latin1'))}`;

export const bearerOf = ({ token }: Lane) => ({ Authorization: `Bearer ${token}` });
