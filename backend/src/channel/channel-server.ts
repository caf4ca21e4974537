import { randomBytes } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { OVERSIZED, decodeForwardBody, encodeChunk, toIndex } from './frames.ts';
import { createOutboxBudget } from './outbox-budget.ts';
import {
  DEFAULT_LIMITS,
  createSession,
  type BackChannel,
  type Session,
  type SessionHandler,
  type SessionLimits,
} from './session.ts';

/**
 * - The requests of WebChannel version 8, and nothing of what travels inside.
 * - A session id is the only credential of its later requests, hence 192 random bits.
 * - Without a session only as much of a request is kept as a handshake needs.
 * - One network address cannot take the sessions of all others.
 * - An unknown id answers 400 with the words that make the client open a new stream at once.
 */
export interface Handshake {
  /** The path of the endpoint. */
  readonly path: string;
  readonly headers: ReadonlyMap<string, string>;
}

export interface Channel {
  send(payload: unknown): void;
  sendLast(payload: unknown): void;
}

type OpenChannel = (handshake: Handshake, channel: Channel) => Promise<SessionHandler>;

interface ChannelRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Of the network that it came from. */
  readonly address: string;
  /** Null when it was too large to be kept. */
  readonly body: string | null;
}

export interface ChannelResponse {
  answer(status: number, body: string): void;
  /** Sends the head of a response that stays open. */
  open(isStreaming: boolean, waitMs: number): BackChannel;
  onGone(listener: () => void): void;
  onReady(listener: () => void): void;
}

export interface ChannelServer {
  /** How much of the body of a request is kept; nothing for a session that is gone. */
  maxBodyBytes(query: URLSearchParams): number;
  handle(request: ChannelRequest, response: ChannelResponse): void;
  /** Tells every client to come back later and ends its back channel. */
  stop(): void;
  sessionCount(): number;
}

export interface ChannelServerDeps {
  readonly clock: Clock;
  readonly open: OpenChannel;
  readonly limits?: Partial<SessionLimits>;
  readonly newSessionId?: () => string;
}

const SERVER_VERSION = 14;
const KEEP_ALIVE_MS = 30_000;
const TICK_MS = 1000;
const MAX_SESSIONS = 2000;
const MAX_SESSIONS_OF_ADDRESS = 200;

export function createChannelServer(deps: ChannelServerDeps): ChannelServer {
  const { clock, open } = deps;
  const limits = { ...DEFAULT_LIMITS, ...deps.limits };
  const newSessionId = deps.newSessionId ?? (() => randomBytes(24).toString('base64url'));
  const sessions = new Map<string, Session>();
  /** Of the sessions, by their ids. */
  const addresses = new Map<string, string>();

  const budget = createOutboxBudget(limits.maxTotalBytes, () => {
    let largest: { readonly id: string; readonly bytes: number } = { id: '', bytes: 0 };
    for (const [id, session] of sessions) {
      const bytes = session.size();
      if (bytes > largest.bytes) largest = { id, bytes };
    }
    drop(largest.id);
  });

  const drop = (id: string) => {
    const session = sessions.get(id);
    sessions.delete(id);
    addresses.delete(id);
    session?.close();
  };

  const connect = async (id: string, session: Session, handshake: Handshake) => {
    try {
      const handler = await open(handshake, session);
      if (!session.setHandler(handler)) drop(id);
      else if (!sessions.has(id)) handler.onClose();
    } catch {
      drop(id);
    }
  };

  const isFull = (address: string): boolean => {
    if (sessions.size >= MAX_SESSIONS) return true;
    let ofAddress = 0;
    for (const each of addresses.values()) if (each === address) ofAddress++;
    return ofAddress >= MAX_SESSIONS_OF_ADDRESS;
  };

  const greet = (request: ChannelRequest, response: ChannelResponse) => {
    if (request.body === null) return response.answer(413, 'Error: Request too large');
    const forward = decodeForwardBody(request.body);
    if (forward === undefined) return response.answer(400, 'Error: Bad request');
    if (isFull(request.address)) return response.answer(503, 'Error: Too many sessions');
    const id = newSessionId();
    const session = createSession({ now: () => clock.now(), limits, budget });
    sessions.set(id, session);
    addresses.set(id, request.address);
    if (!session.receive(forward)) {
      drop(id);
      return response.answer(400, 'Error: Bad request');
    }
    void connect(id, session, { path: request.path, headers: forward.headers });
    const greeting = ['c', id, '', 8, SERVER_VERSION, KEEP_ALIVE_MS];
    response.answer(200, encodeChunk(JSON.stringify([[0, greeting]])));
  };

  const forwardTo = (id: string, request: ChannelRequest, response: ChannelResponse) => {
    const session = sessions.get(id);
    if (session === undefined) return response.answer(400, UNKNOWN_SESSION);
    const forward = request.body === null ? OVERSIZED : decodeForwardBody(request.body);
    const status = session.status();
    const acknowledged = toIndex(request.query.get('AID'));
    if (acknowledged !== undefined) session.acknowledge(acknowledged);
    const isTaken =
      forward === OVERSIZED
        ? session.refuseOversized()
        : forward !== undefined && session.receive(forward);
    if (!isTaken) {
      drop(id);
      return response.answer(400, 'Error: Bad request');
    }
    const [, lastId, chars] = session.status();
    response.answer(200, encodeChunk(JSON.stringify([status[0], lastId, chars])));
  };

  const backChannel = (id: string, request: ChannelRequest, response: ChannelResponse) => {
    const session = sessions.get(id);
    if (session === undefined) return response.answer(400, UNKNOWN_SESSION);
    const isStreaming = request.query.get('CI') !== '1';
    const waitMs = toIndex(request.query.get('TO')) ?? limits.noopAfterMs;
    const back = response.open(isStreaming, waitMs);
    response.onGone(() => session.detach(back));
    response.onReady(() => session.flush());
    session.attach(back, toIndex(request.query.get('AID')) ?? 0);
  };

  const stopTicking = clock.every(TICK_MS, () => {
    for (const [id, session] of sessions) if (!session.tick()) drop(id);
  });

  return {
    maxBodyBytes(query) {
      const id = query.get('SID');
      if (id === null) return limits.small.bodyBytes;
      return sessions.get(id)?.maxBodyBytes() ?? 0;
    },
    handle(request, response) {
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
    stop() {
      stopTicking();
      for (const [id, session] of sessions) {
        session.sendLast('stop');
        session.flush();
        drop(id);
      }
    },
    sessionCount: () => sessions.size,
  };
}

const UNKNOWN_SESSION = 'Error: Unknown SID';
