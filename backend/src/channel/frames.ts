export interface OutgoingMessage {
  readonly id: number;
  /** The payload as JSON. */
  readonly text: string;
}

/** Encodes a chunk of WebChannel version 8: a decimal length in UTF-16 code units, a line feed, then that much JSON. */
export const encodeChunk = (json: string): string => `${json.length}\n${json}`;

/** Encodes messages as a chunk with a list of `[arrayId, [payload]]`. */
export const encodeFrame = (messages: readonly OutgoingMessage[]): string =>
  encodeChunk(`[${messages.map(({ id, text }) => `[${id},[${text}]]`).join(',')}]`);

/** Stands for a message that is too large to be decoded. */
export const oversized = Symbol('oversized');

export interface ForwardMessages {
  /** The number of the first message, counted over the whole session. */
  readonly offset: number;
  readonly messages: readonly ForwardMessage[];
}

/** The JSON of a message, which is parsed when it is delivered. */
export type ForwardMessage = string | typeof oversized;

export interface ForwardBody extends ForwardMessages {
  /** The request headers, which a handshake carries in its body to spare the preflight. */
  readonly headers: ReadonlyMap<string, string>;
}

const maxMessages = 10_000;
/** One field for each message, and some for the rest. */
const maxFormFields = maxMessages + 100;
const maxMessageBytes = 10 * 1024 * 1024;

/** Decodes a body; returns undefined when it is not a well-formed list of messages. */
export function decodeForwardBody(body: string): ForwardBody | undefined {
  const form = decodeForm(body);
  if (form === undefined) return undefined;
  const count = toIndex(form.get('count') ?? null);
  const offset = toIndex(form.get('ofs') ?? '0');
  if (count === undefined || offset === undefined || count > maxMessages) return undefined;
  const messages: ForwardMessage[] = [];
  for (let at = 0; at < count; at++) {
    const text = form.get(`req${at}___data__`);
    if (text === undefined) return undefined;
    messages.push(isOversized(text) ? oversized : text);
  }
  return { offset, messages, headers: decodeHeaderLines(form.get('headers') ?? '') };
}

/** Decodes a form; returns undefined when it has too many fields, which it counts before it decodes any. */
function decodeForm(body: string): ReadonlyMap<string, string> | undefined {
  let fields = 1;
  for (let at = body.indexOf('&'); at !== -1; at = body.indexOf('&', at + 1)) {
    fields += 1;
    if (fields > maxFormFields) return undefined;
  }
  return new Map(new URLSearchParams(body));
}

const isOversized = (text: string): boolean =>
  text.length > maxMessageBytes || Buffer.byteLength(text) > maxMessageBytes;

/** Decodes a count or an id of the protocol; returns undefined unless it is a whole number of limited size. */
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
