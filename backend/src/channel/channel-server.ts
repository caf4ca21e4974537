import { randomBytes } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Client } from '../limits/client.ts';
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
  readonly session: Session;
  client: Client;
  readonly place: Lease;
  readonly bytes: Lease;
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

  const drop = (id: string) => {
    const found = sessions.get(id);
    if (found === undefined) return;
    sessions.delete(id);
    found.session.close();
    found.place.release();
    found.bytes.release();
  };

  const keep = (id: string, bytes: number) => {
    try {
      sessions.get(id)?.bytes.set(bytes);
    } catch {
      drop(id);
    }
  };

  const fail = (id: string, error: unknown) => {
    if (!(error instanceof LimitError)) log.error('channel failed', describeError(error));
    drop(id);
  };

  /** Delivers what is due. A session whose client broke the protocol ends; returns false if it has ended by now. */
  const deliver = (id: string): boolean => {
    const found = sessions.get(id);
    if (found === undefined) return false;
    const end = () => drop(id);
    const taken = resources.slices.run(found.client, found.session.deliver());
    if (typeof taken === 'boolean') {
      if (!taken) end();
      return taken;
    }
    taken.then(
      (isSound) => (isSound ? undefined : end()),
      (error: unknown) => fail(id, error),
    );
    return true;
  };

  const connect = async (id: string, session: Session, handshake: Handshake) => {
    try {
      const handler = await open(handshake, session);
      const client = sessions.get(id)?.client ?? { uid: null, address: handshake.address };
      await resources.turns.run(client, () => {
        if (!sessions.has(id)) return handler.onClose();
        session.setHandler(handler);
        deliver(id);
      });
    } catch (error) {
      fail(id, error);
    }
  };

  const admit = (id: string, uid: string) => {
    const found = sessions.get(id);
    if (found === undefined) return;
    const client = { ...found.client, uid };
    found.place.moveTo(client, { ...yielding(id), isReplaceable: false });
    found.bytes.moveTo(client, yielding(id));
    found.client = client;
  };

  const yielding = (id: string) => ({ onYield: () => drop(id), isReplaceable: true });

  const greet = (request: ChannelRequest, response: ChannelResponse) => {
    if (request.body === null) return response.answer(413, 'Error: Request too large');
    const forward = decodeForwardBody(request.body);
    if (forward === undefined) return response.answer(400, 'Error: Bad request');
    const { path, address } = request;
    const client = { uid: null, address };
    const id = randomBytes(24).toString('base64url');
    const place = resources.level('sessions').take(client, 1, yielding(id));
    const session = createSession({
      now: () => clock.now(),
      limits,
      times,
      onSize: (bytes) => keep(id, bytes),
    });
    sessions.set(id, {
      session,
      client,
      place,
      bytes: resources.level('channelBytes').take(client, 0, yielding(id)),
    });
    session.receive(forward);
    if (!deliver(id)) return response.answer(400, 'Error: Bad request');
    const handshake = { path, headers: forward.headers, address };
    void connect(id, session, { ...handshake, admit: (uid) => admit(id, uid) });
    const greeting = ['c', id, '', 8, serverVersion, keepAliveMs];
    response.answer(200, encodeChunk(JSON.stringify([[0, greeting]])));
  };

  /** Returns false when the client broke the protocol and the session must end. */
  const take = (id: string, session: Session, body: Buffer | null): boolean => {
    if (body === null) return session.refuseOversized();
    const forward = decodeForwardBody(body);
    if (forward === undefined) return false;
    session.receive(forward);
    return deliver(id);
  };

  const forwardTo = (id: string, request: ChannelRequest, response: ChannelResponse) => {
    const session = sessions.get(id)?.session;
    if (session === undefined) return response.answer(400, unknownSession);
    const status = session.status();
    const acknowledged = toIndex(request.query.get('AID'));
    if (acknowledged !== undefined) session.acknowledge(acknowledged);
    if (!take(id, session, request.body)) {
      drop(id);
      return response.answer(400, 'Error: Bad request');
    }
    const [, lastId, chars] = session.status();
    response.answer(200, encodeChunk(JSON.stringify([status[0], lastId, chars])));
  };

  const backChannel = (id: string, request: ChannelRequest, response: ChannelResponse) => {
    const session = sessions.get(id)?.session;
    if (session === undefined) return response.answer(400, unknownSession);
    const isStreaming = request.query.get('CI') !== '1';
    const waitMs = toIndex(request.query.get('TO')) ?? times.noopAfterMs;
    const back = response.open(isStreaming, waitMs);
    response.onGone(() => session.detach(back));
    response.onReady(() => session.flush());
    session.attach(back, toIndex(request.query.get('AID')) ?? 0);
  };

  const stopTicking = clock.every(tickMs, () => {
    for (const [id, { session, client }] of sessions) {
      const idleAfterMs = client.uid === null ? limits.strangerIdleMs : times.idleAfterMs;
      if (!session.tick(idleAfterMs)) drop(id);
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
      const id = request.query.get('SID');
      if (request.query.get('TYPE') === 'terminate') {
        if (id !== null) drop(id);
        response.answer(200, '');
      } else if (request.method === 'GET') {
        backChannel(id ?? '', request, response);
      } else if (id === null) {
        greet(request, response);
      } else {
        forwardTo(id, request, response);
      }
    },
    /** Tells every client to come back later and ends its back channel. */
    stop() {
      stopTicking();
      for (const [id, { session }] of sessions) {
        session.sendLast('stop');
        session.flush();
        drop(id);
      }
    },
    sessionCount: () => sessions.size,
  };
}

const unknownSession = 'Error: Unknown SID';
