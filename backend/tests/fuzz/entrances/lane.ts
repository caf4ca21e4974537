import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '../random.ts';
import type { Wire, WireAnswer, WireRequest } from '../../support/clients/wire.ts';
import { abridge, type Journal } from '../supervised/journal.ts';

/** One client of an entrance, with its own random numbers, account and network address. */
export interface Lane {
  readonly entrance: string;
  /** An id that is unique in the run; the names of what the lane writes contain it. */
  readonly id: string;
  readonly random: Random;
  readonly wire: Wire;
  readonly port: number;
  /** The number of its network address. */
  readonly host: number;
  readonly token: string;
  readonly journal: Journal;
}

/** Sends one random input; rejects when the answer is one that no input may get. */
export type Step = () => Promise<void>;

export type Entrance = (lane: Lane) => Step;

const tooMany = 429;
/** The longest wait of a client over a limit, whatever `Retry-After` says. */
const maxRetryMs = 1000;

/** Sends a request and notes it in the journal. @throws if the answer is a 500. */
export async function ask(lane: Lane, asked: WireRequest): Promise<WireAnswer> {
  const end = lane.journal.begin(lane.entrance, describe(asked));
  const answer = await lane.wire.ask(asked);
  check(answer, asked);
  if (answer.status === tooMany) {
    await wait(Math.min(maxRetryMs, Number(answer.headers['retry-after'] ?? 1) * 1000));
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
