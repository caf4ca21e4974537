import { parseJson } from '../json.ts';
import type { StreamHandler } from '../stream.ts';
import { decodeField, encodeFrame, type ForwardMessages } from './frames.ts';
import { createInbox } from './inbox.ts';
import { createOutbox } from './outbox.ts';
import type { Limits } from '../limits/defaults.ts';
import { createSliceMeter, type Steps } from '../limits/slices.ts';

export interface BackChannel {
  /** False: the response ends with the first data (long polling). */
  readonly isStreaming: boolean;
  /** The longest time until the first data (long polling). */
  readonly waitMs: number;
  write(chunk: string): void;
  end(): void;
  /** Ends it without what its reader has not read yet. */
  drop(): void;
  /** Whether the network keeps up; while it does not, messages wait in the outbox. */
  isReady(): boolean;
}

const bytesPerChar = 2;
const maxMessageBytes = 10 * 1024 * 1024;
/** A byte of a message has at most three in a form: a percent sign and two digits. */
const maxFormBytes = 3 * maxMessageBytes;

/** Times and sizes that govern a session whose client follows the protocol. */
export const defaultTimes = {
  noopAfterMs: 25_000,
  rotateAfterMs: 60_000,
  rotateAfterChars: 4_000_000,
  frameChars: 250_000,
  idleAfterMs: 120_000,
  /** Above this backlog the sender of a long answer waits for the client, for `patienceMs` at most. */
  backlogChars: 6_000_000,
  patienceMs: 10_000,
};

export type SessionTimes = Readonly<typeof defaultTimes>;

interface Attached {
  readonly back: BackChannel;
  readonly sinceMs: number;
  sentId: number;
  sentChars: number;
  lastWriteMs: number;
}

export interface SessionDeps {
  readonly elapsedMs: () => number;
  readonly limits: Limits;
  readonly times: SessionTimes;
  /** Called with the number of bytes that the inbox and the outbox hold. */
  readonly onSize: (bytes: number) => void;
}

export type Session = ReturnType<typeof createSession>;

/**
 * - A session is one bidirectional stream of messages over any number of requests.
 * - A message stays in the outbox until the client acknowledges it, so a broken back channel loses nothing: the next one
 *   gets everything after the id that the client names.
 * - A message of the client is decoded when it is delivered to the handler, one at a time and in order.
 * - Messages that are sent within one turn of the event loop leave in one frame, up to the size of a frame.
 * - A back channel never ends empty, is never silent for longer than announced, and is rotated after a while so that the
 *   client can release the memory of what it has read.
 */
export function createSession({ elapsedMs, limits, times, onSize }: SessionDeps) {
  const tellSize = () => onSize(outbox.chars() * bytesPerChar + inbox.bytes());
  const inbox = createInbox(tellSize);
  const outbox = createOutbox(tellSize);
  let handler: StreamHandler | null = null;
  let attached: Attached | null = null;
  let lastContactMs = elapsedMs();
  let isDeaf = false;
  let isClosed = false;
  let waiting: { readonly untilMs: number; readonly resolve: (isDrained: boolean) => void } | null =
    null;
  const endWait = (isDrained: boolean) => {
    waiting?.resolve(isDrained);
    waiting = null;
  };
  /** The characters that wait for the planned flush; 0 when none is planned. */
  let plannedChars = 0;

  const end = () => {
    attached?.back.end();
    attached = null;
    lastContactMs = elapsedMs();
  };

  /** Writes frames while the network keeps up; returns true when the back channel has to end. */
  const writeFrames = (to: Attached): boolean => {
    while (to.back.isReady()) {
      const messages = outbox.after(to.sentId, times.frameChars);
      const last = messages.at(-1);
      if (last === undefined) return false;
      const frame = encodeFrame(messages);
      to.back.write(frame);
      to.sentId = last.id;
      to.sentChars += frame.length;
      to.lastWriteMs = elapsedMs();
      if (!to.back.isStreaming || to.sentChars >= times.rotateAfterChars) return true;
    }
    return false;
  };

  const flush = () => {
    plannedChars = 0;
    if (attached !== null && writeFrames(attached)) end();
  };

  const push = (payload: unknown) => {
    if (plannedChars === 0) queueMicrotask(flush);
    plannedChars += outbox.push(payload);
    // A long answer is flushed while it is still being produced, so that the client parses its beginning meanwhile.
    if (plannedChars >= times.frameChars) flush();
  };

  const noop = () => {
    outbox.push('noop');
    flush();
  };

  const hold = () => inbox.hold() && !isClosed;
  let isDelivering = false;
  /**
   * Delivers the messages that are due, in slices, and holds the others. Returns false when the client broke the protocol
   * and the session must end.
   */
  function* deliver(): Steps<boolean> {
    if (handler === null || isDelivering) return hold();
    isDelivering = true;
    const isSliceOver = createSliceMeter(elapsedMs);
    for (let message = inbox.take(); message !== undefined; message = inbox.take()) {
      if (!isDeaf && !handle(handler, message)) return false;
      const drained = handler.drained?.();
      if (!isSliceOver() && drained === undefined) continue;
      if (!hold()) return false;
      yield drained;
    }
    isDelivering = false;
    return hold();
  }

  const acknowledge = (id: number) => {
    if (id > outbox.lastId()) return;
    outbox.acknowledge(id);
    if (outbox.chars() <= times.backlogChars) endWait(true);
  };

  const keepAlive = (to: Attached) => {
    const silentMs = elapsedMs() - to.lastWriteMs;
    if (silentMs >= Math.min(times.noopAfterMs, to.back.waitMs)) noop();
    if (attached !== to) return;
    if (elapsedMs() - to.sinceMs >= times.rotateAfterMs) {
      if (to.sentChars === 0) noop();
      end();
    }
  };

  return {
    send(payload: unknown) {
      if (!isDeaf) push(payload);
    },
    /**
     * Returns undefined while the unacknowledged backlog is at most `backlogChars`. Otherwise resolves to true once it is, or
     * to false after `patienceMs` or when the session ends.
     */
    drained(): Promise<boolean> | undefined {
      if (isDeaf || outbox.chars() <= times.backlogChars) return undefined;
      endWait(false);
      const untilMs = elapsedMs() + times.patienceMs;
      return new Promise((resolve) => {
        waiting = { untilMs, resolve };
      });
    },
    /** Sends a last message; later messages of the client are ignored. */
    sendLast(payload: unknown) {
      if (!isDeaf) push(payload);
      isDeaf = true;
      endWait(false);
    },
    setHandler(next: StreamHandler) {
      if (isClosed) next.onClose();
      else handler = next;
    },
    receive(request: ForwardMessages) {
      lastContactMs = elapsedMs();
      inbox.receive(request);
    },
    deliver,
    /** Reports a request that was too large to read to the handler. Returns false when there is no handler yet. */
    refuseOversized() {
      if (!isDeaf) handler?.onOversized();
      return handler !== null;
    },
    /** Returns the limit for the body of the next request. */
    maxBodyBytes: () =>
      handler?.takesLargeMessages === true ? limits.writeRequestBytes : limits.listenRequestBytes,
    acknowledge,
    attach(back: BackChannel, sentId: number) {
      if (attached !== null) {
        if (attached.sentChars === 0) noop();
        // Its client has given it up, and the outbox still has what the client has not read.
        attached?.back.drop();
        attached = null;
      }
      acknowledge(sentId);
      const time = elapsedMs();
      attached = { back, sinceMs: time, sentId, sentChars: 0, lastWriteMs: time };
      flush();
      // Without immediate data the SDK assumes a buffering proxy and gives up streaming.
      if (attached !== null && attached.sentChars === 0 && back.isStreaming) noop();
    },
    /** Forgets this back channel, whose connection is gone. */
    detach(back: BackChannel) {
      if (attached?.back !== back) return;
      attached = null;
      lastContactMs = elapsedMs();
    },
    flush,
    /** Returns whether a back channel is open, the last id, and the unacknowledged characters. */
    status: (): readonly [0 | 1, number, number] => [
      attached === null ? 0 : 1,
      outbox.lastId(),
      outbox.chars(),
    ],
    /** Keeps the back channel alive or rotates it; returns false when the session has been idle for too long. */
    tick(idleAfterMs: number) {
      if (attached !== null) keepAlive(attached);
      if (waiting !== null && elapsedMs() >= waiting.untilMs) endWait(false);
      return attached !== null || elapsedMs() - lastContactMs < idleAfterMs;
    },
    close() {
      if (isClosed) return;
      if (attached !== null && attached.sentChars === 0) noop();
      isClosed = true;
      isDeaf = true;
      inbox.clear();
      endWait(false);
      end();
      handler?.onClose();
    },
  };
}

/** Passes a message on. Returns false when it is not JSON. */
function handle(handler: StreamHandler, message: Buffer): boolean {
  const text = message.length > maxFormBytes ? undefined : (decodeField(message) ?? '');
  if (text === undefined || Buffer.byteLength(text) > maxMessageBytes) {
    handler.onOversized();
    return true;
  }
  const json = parseJson(text);
  if (json.ok) handler.onMessage(json.value);
  return json.ok;
}
