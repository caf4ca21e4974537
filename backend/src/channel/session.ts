import { parseJson } from '../json.ts';
import { OVERSIZED, encodeFrame, type ForwardMessage, type ForwardMessages } from './frames.ts';
import { createInbox } from './inbox.ts';
import { createOutbox } from './outbox.ts';
import type { Limits } from '../limits/defaults.ts';

/**
 * - One session is one bidirectional stream of messages over any number of requests.
 * - A message stays in the outbox until the client acknowledges it, so a broken back channel loses
 *   nothing: the next one is sent everything after the id the client names.
 * - A message of the client is parsed when it is handed over, one message after the other.
 * - Messages sent in one turn of the event loop leave in one frame.
 * - A back channel is never ended empty, is never silent for longer than announced, and is ended
 *   after a while so that the client can release what it has read.
 */
export interface BackChannel {
  /** False: the response ends with the first data (long polling). */
  readonly isStreaming: boolean;
  /** Long polling: answer at the latest after this time. */
  readonly waitMs: number;
  write(chunk: string): void;
  end(): void;
  /** Whether the network keeps up; while it does not, messages wait in the outbox. */
  isReady(): boolean;
}

export interface SessionHandler {
  onMessage(payload: unknown): void;
  /** In the place of a message that was too large. */
  onOversized(): void;
  /** Whether the client may send batches of several megabytes. */
  readonly takesLargeMessages?: boolean;
  onClose(): void;
}

/** How a session behaves while its client is well. */
export interface SessionTimes {
  readonly noopAfterMs: number;
  readonly rotateAfterMs: number;
  readonly rotateAfterChars: number;
  readonly frameChars: number;
  readonly idleAfterMs: number;
  /** Above it a long answer waits for its reader, as long as the patience lasts. */
  readonly backlogChars: number;
  readonly patienceMs: number;
}

const BYTES_PER_CHAR = 2;

export const DEFAULT_TIMES: SessionTimes = {
  noopAfterMs: 25_000,
  rotateAfterMs: 60_000,
  rotateAfterChars: 4_000_000,
  frameChars: 250_000,
  idleAfterMs: 120_000,
  backlogChars: 6_000_000,
  patienceMs: 10_000,
};

export interface Session {
  send(payload: unknown): void;
  /**
   * Undefined while the client has acknowledged most of what was sent; else it resolves when it has, or with false after some
   * seconds and when the session ends.
   */
  drained(): Promise<boolean> | undefined;
  /** Sends a last message; what the client says afterwards is ignored. */
  sendLast(payload: unknown): void;
  /** False when the client broke the protocol and the session must go. */
  setHandler(handler: SessionHandler): boolean;
  /** False when the client broke the protocol and the session must go. */
  receive(forward: ForwardMessages): boolean;
  /** A request was too large; its messages are not known. False when there is nobody yet to tell the client. */
  refuseOversized(): boolean;
  /** The limit for the next request. */
  maxBodyBytes(): number;
  acknowledge(id: number): void;
  attach(back: BackChannel, acknowledgedId: number): void;
  /** The connection of this back channel is gone. */
  detach(back: BackChannel): void;
  flush(): void;
  /** The answer to a forward request: back channel open, last id, characters outstanding. */
  status(): readonly [0 | 1, number, number];
  /** False when the session has been idle for too long. */
  tick(idleAfterMs: number): boolean;
  close(): void;
}

interface Attached {
  readonly back: BackChannel;
  readonly sinceMs: number;
  sentId: number;
  sentChars: number;
  lastWriteMs: number;
}

export interface SessionDeps {
  readonly now: () => number;
  readonly limits: Limits;
  readonly times: SessionTimes;
  /** Told how many bytes are kept of what comes and for the client. */
  readonly onSize: (bytes: number) => void;
}

export function createSession({ now, limits, times, onSize }: SessionDeps): Session {
  const tellSize = () => onSize(outbox.chars() * BYTES_PER_CHAR + inbox.bytes());
  const inbox = createInbox(tellSize);
  const outbox = createOutbox(tellSize);
  let handler: SessionHandler | null = null;
  let attached: Attached | null = null;
  let lastContactMs = now();
  let acknowledgedId = 0;
  let isDeaf = false;
  let isClosed = false;
  let waiting: { readonly untilMs: number; readonly resolve: (isDrained: boolean) => void } | null =
    null;
  const endWait = (isDrained: boolean) => {
    waiting?.resolve(isDrained);
    waiting = null;
  };
  let isFlushPlanned = false;
  /** What waits for the planned flush. */
  let plannedChars = 0;

  const end = () => {
    attached?.back.end();
    attached = null;
    lastContactMs = now();
  };

  /** Writes as many frames as the network takes; true when the back channel has had its share. */
  const writeFrames = (to: Attached): boolean => {
    while (to.back.isReady()) {
      const messages = outbox.after(to.sentId, times.frameChars);
      const last = messages.at(-1);
      if (last === undefined) return false;
      const frame = encodeFrame(messages);
      to.back.write(frame);
      to.sentId = last.id;
      to.sentChars += frame.length;
      to.lastWriteMs = now();
      if (!to.back.isStreaming || to.sentChars >= times.rotateAfterChars) return true;
    }
    return false;
  };

  const flush = () => {
    isFlushPlanned = false;
    plannedChars = 0;
    if (attached !== null && writeFrames(attached)) end();
  };

  const push = (payload: unknown) => {
    if (isClosed) return;
    const charsBefore = outbox.chars();
    outbox.push(payload);
    plannedChars += outbox.chars() - charsBefore;
    // A long answer leaves while it is made: the client takes its beginning apart meanwhile.
    if (plannedChars >= times.frameChars) flush();
    if (isFlushPlanned) return;
    isFlushPlanned = true;
    queueMicrotask(flush);
  };

  const noop = () => {
    outbox.push('noop');
    flush();
  };

  /** False when it is no JSON. */
  const deliver = (to: SessionHandler, message: ForwardMessage): boolean => {
    if (isDeaf || isClosed) return true;
    if (message === OVERSIZED) {
      to.onOversized();
      return true;
    }
    const json = parseJson(message);
    if (json.ok) to.onMessage(json.value);
    return json.ok;
  };

  const deliverAll = (to: SessionHandler): boolean => {
    for (let message = inbox.take(); message !== undefined; message = inbox.take()) {
      if (!deliver(to, message)) return false;
    }
    return true;
  };

  const deliverDue = (): boolean => {
    const isSound = handler === null || deliverAll(handler);
    return inbox.hold() && isSound && !isClosed;
  };

  const acknowledge = (id: number) => {
    if (id <= acknowledgedId || id > outbox.lastId()) return;
    acknowledgedId = id;
    outbox.acknowledge(id);
    if (outbox.chars() <= times.backlogChars) endWait(true);
  };

  const keepAlive = (to: Attached) => {
    const silentMs = now() - to.lastWriteMs;
    if (silentMs >= Math.min(times.noopAfterMs, to.back.waitMs)) noop();
    if (attached !== to) return;
    if (now() - to.sinceMs >= times.rotateAfterMs) {
      if (to.sentChars === 0) noop();
      end();
    }
  };

  return {
    send(payload) {
      if (!isDeaf) push(payload);
    },
    drained() {
      if (isDeaf || isClosed || outbox.chars() <= times.backlogChars) return undefined;
      endWait(false);
      const untilMs = now() + times.patienceMs;
      return new Promise((resolve) => {
        waiting = { untilMs, resolve };
      });
    },
    sendLast(payload) {
      if (!isDeaf) push(payload);
      isDeaf = true;
      endWait(false);
    },
    setHandler(next) {
      handler = next;
      return isClosed || deliverDue();
    },
    receive({ offset, messages }) {
      lastContactMs = now();
      inbox.receive(offset, messages);
      return deliverDue();
    },
    refuseOversized: () => handler !== null && deliver(handler, OVERSIZED),
    maxBodyBytes: () =>
      handler?.takesLargeMessages === true ? limits.writeRequestBytes : limits.listenRequestBytes,
    acknowledge,
    attach(back, sentId) {
      if (attached !== null) {
        if (attached.sentChars === 0) noop();
        end();
      }
      acknowledge(sentId);
      const time = now();
      attached = { back, sinceMs: time, sentId, sentChars: 0, lastWriteMs: time };
      flush();
      // Without data at once the SDK takes the connection for a buffering proxy and gives up streaming.
      if (attached !== null && attached.sentChars === 0 && back.isStreaming) noop();
    },
    detach(back) {
      if (attached?.back !== back) return;
      attached = null;
      lastContactMs = now();
    },
    flush,
    status: () => [attached === null ? 0 : 1, outbox.lastId(), outbox.chars()],
    tick(idleAfterMs) {
      if (attached !== null) keepAlive(attached);
      if (waiting !== null && now() >= waiting.untilMs) endWait(false);
      return attached !== null || now() - lastContactMs < idleAfterMs;
    },
    close() {
      if (isClosed) return;
      if (attached !== null && attached.sentChars === 0) noop();
      isClosed = true;
      endWait(false);
      end();
      handler?.onClose();
    },
  };
}
