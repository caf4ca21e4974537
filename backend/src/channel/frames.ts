/**
 * The framing of WebChannel version 8: a decimal length in UTF-16 code units, a line feed, then that
 * much JSON. A frame carries a list of `[arrayId, [payload]]`.
 */
export interface OutgoingMessage {
  readonly id: number;
  /** The payload as JSON. */
  readonly text: string;
}

export const encodeChunk = (json: string): string => `${json.length}\n${json}`;

export const encodeFrame = (messages: readonly OutgoingMessage[]): string =>
  encodeChunk(`[${messages.map(({ id, text }) => `[${id},[${text}]]`).join(',')}]`);

export interface ForwardMessages {
  /** The number of the first message, counted over the whole session. */
  readonly offset: number;
  readonly messages: readonly unknown[];
}

export interface ForwardBody extends ForwardMessages {
  /** The request headers, which a handshake carries in its body to spare the preflight. */
  readonly headers: ReadonlyMap<string, string>;
}

const MAX_MESSAGES = 10_000;
const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;

/** In the place of a message that is too large to be looked at. */
export const OVERSIZED = Symbol('oversized');

/** Undefined when the body is not a well-formed list of messages. */
export function decodeForwardBody(body: string): ForwardBody | undefined {
  const form = new URLSearchParams(body);
  const count = toIndex(form.get('count'));
  const offset = toIndex(form.get('ofs') ?? '0');
  if (count === undefined || offset === undefined || count > MAX_MESSAGES) return undefined;
  const messages: unknown[] = [];
  for (let at = 0; at < count; at++) {
    const message = parseMessage(form.get(`req${at}___data__`));
    if (message === undefined) return undefined;
    messages.push(message);
  }
  return { offset, messages, headers: decodeHeaderLines(form.get('headers') ?? '') };
}

function parseMessage(text: string | null): unknown {
  if (text === null) return undefined;
  if (text.length > MAX_MESSAGE_BYTES || Buffer.byteLength(text) > MAX_MESSAGE_BYTES) {
    return OVERSIZED;
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A count or an id of the protocol; undefined unless it is a whole number of sensible size. */
export function toIndex(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function decodeHeaderLines(text: string): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const line of text.split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  return headers;
}
