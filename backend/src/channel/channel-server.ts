import { randomBytes } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { clientGone, type Client } from '../limits/client.ts';
import type { Lease } from '../limits/level.ts';
import { LimitError } from '../limits/limit-error.ts';
import type { Resources } from '../limits/resources.ts';
import { describeError, type Log } from '../log.ts';
import type { Channel, Handshake, StreamHandler } from '../stream.ts';
import { decodeForwardBody, encodeChunk, toIndex } from './frames.ts';
import {
  defaultTimes,
  createSession,
  type BackChannel,
  type Session,
  type SessionTimes,
} from './session.ts';

type OpenChannel = (handshake: Handshake, channel: Channel) => Promise<StreamHandler>;

interface ChannelRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly address: string;
  /** Null when the body exceeded its limit. */
  readonly body: Buffer | null;
}

export interface ChannelResponse {
  answer(status: number, body: string): void;
  /** Sends the head of a response that stays open. */
  open(isStreaming: boolean, waitMs: number): BackChannel;
  onGone(listener: () => void): void;
  onReady(listener: () => void): void;
}

export interface ChannelServerDeps {
  readonly clock: Clock;
  readonly open: OpenChannel;
  readonly resources: Resources;
  readonly log: Log;
  readonly times?: Partial<SessionTimes>;
}

const serverVersion = 14;
const keepAliveMs = 30_000;
const tickMs = 1000;

interface Place {
  readonly id: string;
  readonly session: Session;
  client: Client;
  readonly seat: Lease;
  readonly bytes: Lease;
  /** Aborts when the session ends. */
  readonly over: AbortController;
}

export type ChannelServer = ReturnType<typeof createChannelServer>;

/**
 * - It handles the requests of WebChannel version 8 and does not interpret the messages inside.
 * - A session id is the only credential of the session's later requests, hence its 192 random bits.
 * - Without a session, only as much of a request body is buffered as a handshake needs.
 * - A session is charged to its network address until its owner is known, and to its owner from then on. Above a limit the
 *   sessions without an owner yield their places first, then those of the owner who has most. A session without an owner
 *   ends after a short idle time without a back channel.
 * - When a client exceeds its limit of buffered bytes, its largest session ends.
 * - A request with an unknown session id gets status 400 with the text that makes the client open a new stream at once.
 */
export function createChannelServer(deps: ChannelServerDeps) {
  const { clock, open, resources, log } = deps;
  const { limits } = resources;
  const times = { ...defaultTimes, ...deps.times };
  const sessions = new Map<string, Place>();

  const drop = ({ id, session, seat, bytes, over }: Place) => {
    if (!sessions.delete(id)) return;
    session.close();
    over.abort(clientGone);
    seat.release();
    bytes.release();
  };

  const fail = (place: Place, error: unknown) => {
    if (!(error instanceof LimitError)) log.error('channel failed', describeError(error));
    drop(place);
  };

  /** Delivers what is due. A session whose client broke the protocol ends; returns false if it has ended by now. */
  const deliver = (place: Place): boolean => {
    if (!sessions.has(place.id)) return false;
    const endUnless = (isSound: boolean) => (isSound ? undefined : drop(place));
    const taken = resources.slices.run(place.client, place.session.deliver());
    if (typeof taken === 'boolean') endUnless(taken);
    else taken.then(endUnless, (error: unknown) => fail(place, error));
    return taken !== false;
  };

  const connect = async (place: Place, handshake: Handshake) => {
    try {
      const handler = await open(handshake, place.session);
      place.session.setHandler(handler);
      await resources.turns.run(place.client, () => deliver(place));
    } catch (error) {
      fail(place, error);
    }
  };

  const admit = (place: Place, uid: string) => {
    if (!sessions.has(place.id)) return;
    const client = { ...place.client, uid };
    const onYield = () => drop(place);
    place.seat.moveTo(client, { onYield, isReplaceable: false });
    place.bytes.moveTo(client, { onYield, isReplaceable: true });
    place.client = client;
  };

  const openPlace = (address: string): Place => {
    const over = new AbortController();
    const client = { uid: null, address, gone: over.signal };
    const yielding = { onYield: () => drop(place), isReplaceable: true };
    const onSize = (bytes: number) => {
      try {
        if (sessions.has(place.id)) place.bytes.set(bytes);
      } catch {
        drop(place);
      }
    };
    const place: Place = {
      id: randomBytes(24).toString('base64url'),
      client,
      seat: resources.level('sessions').take(client, 1, yielding),
      bytes: resources.level('channelBytes').take(client, 0, yielding),
      session: createSession({ elapsedMs: () => clock.elapsedMs(), limits, times, onSize }),
      over,
    };
    sessions.set(place.id, place);
    return place;
  };

  const greet = (request: ChannelRequest, response: ChannelResponse) => {
    if (request.body === null) return response.answer(413, 'Error: Request too large');
    const forward = decodeForwardBody(request.body);
    if (forward === undefined) return response.answer(400, 'Error: Bad request');
    const { path, address } = request;
    const place = openPlace(address);
    place.session.receive(forward);
    if (!deliver(place)) return response.answer(400, 'Error: Bad request');
    const handshake = { path, headers: forward.headers, client: place.client };
    void connect(place, { ...handshake, admit: (uid) => admit(place, uid) });
    const greeting = ['c', place.id, '', 8, serverVersion, keepAliveMs];
    response.answer(200, encodeChunk(JSON.stringify([[0, greeting]])));
  };

  /** Returns false when the client broke the protocol and the session must end. */
  const take = (place: Place, body: Buffer | null): boolean => {
    if (body === null) return place.session.refuseOversized();
    const forward = decodeForwardBody(body);
    if (forward === undefined) return false;
    place.session.receive(forward);
    return deliver(place);
  };

  const forwardTo = (place: Place, request: ChannelRequest, response: ChannelResponse) => {
    const { session } = place;
    const [isAttached] = session.status();
    const acknowledged = toIndex(request.query.get('AID'));
    if (acknowledged !== undefined) session.acknowledge(acknowledged);
    if (!take(place, request.body)) {
      drop(place);
      return response.answer(400, 'Error: Bad request');
    }
    const [, lastId, chars] = session.status();
    response.answer(200, encodeChunk(JSON.stringify([isAttached, lastId, chars])));
  };

  const backChannel = (session: Session, query: URLSearchParams, response: ChannelResponse) => {
    const isStreaming = query.get('CI') !== '1';
    const waitMs = toIndex(query.get('TO')) ?? times.noopAfterMs;
    const back = response.open(isStreaming, waitMs);
    response.onGone(() => session.detach(back));
    response.onReady(() => session.flush());
    session.attach(back, toIndex(query.get('AID')) ?? 0);
  };

  const stopTicking = clock.every(tickMs, () => {
    for (const place of sessions.values()) {
      const idleAfterMs = place.client.uid === null ? limits.strangerIdleMs : times.idleAfterMs;
      if (!place.session.tick(idleAfterMs)) drop(place);
    }
  });

  return {
    /** Returns the most bytes of a body to buffer, 0 for a session that is gone, and the client if the session is known. */
    expect(query: URLSearchParams): { readonly maxBytes: number; readonly client?: Client } {
      const id = query.get('SID');
      if (id === null) return { maxBytes: limits.listenRequestBytes };
      const found = sessions.get(id);
      if (found === undefined) return { maxBytes: 0 };
      return { maxBytes: found.session.maxBodyBytes(), client: found.client };
    },
    handle(request: ChannelRequest, response: ChannelResponse) {
      const { query } = request;
      const id = query.get('SID');
      const place = sessions.get(id ?? '');
      if (query.get('TYPE') === 'terminate') {
        if (place !== undefined) drop(place);
        response.answer(200, '');
      } else if (id === null && request.method !== 'GET') {
        greet(request, response);
      } else if (place === undefined) {
        response.answer(400, 'Error: Unknown SID');
      } else if (request.method === 'GET') {
        backChannel(place.session, query, response);
      } else {
        forwardTo(place, request, response);
      }
    },
    /** Tells every client to come back later and ends its back channel. */
    stop() {
      stopTicking();
      for (const place of sessions.values()) {
        place.session.sendLast('stop');
        place.session.flush();
        drop(place);
      }
    },
    sessionCount: () => sessions.size,
  };
}
