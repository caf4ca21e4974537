export interface OutgoingMessage {
  readonly id: number;
  readonly text: string;
}

/** Encodes a chunk of WebChannel version 8: a decimal length in UTF-16 code units, a line feed, then that much JSON. */
export const encodeChunk = (json: string): string => `${json.length}\n${json}`;

/** Encodes messages as a chunk with a list of `[arrayId, [payload]]`. */
export const encodeFrame = (messages: readonly OutgoingMessage[]): string =>
  encodeChunk(`[${messages.map(({ id, text }) => `[${id},[${text}]]`).join(',')}]`);

export interface ForwardMessages {
  /** The number of the first message, counted over the whole session. */
  readonly offset: number;
  /** The messages as they stand in the form, each of which is decoded when it is delivered. */
  readonly messages: readonly Buffer[];
  /** The size of the form, which stays in memory as long as any of its messages. */
  readonly bytes: number;
}

const maxMessages = 10_000;
/** One field for each message, and some for the rest. */
const maxFormFields = maxMessages + 100;
const maxNameBytes = 100;
/** The longest field besides the messages: as long as the head of a request. */
const maxTextBytes = 16 * 1024;
const and = 0x26;
const equals = 0x3d;
const plus = 0x2b;
const blank = 0x20;

/**
 * Decodes the messages of a body, and the request headers that a handshake carries in it to spare the preflight; returns
 * undefined when it is not a well-formed list of messages.
 */
export function decodeForwardBody(body: Buffer) {
  const form = splitForm(body);
  if (form === undefined) return undefined;
  const textOf = (name: string) => {
    const field = form.get(name) ?? Buffer.alloc(0);
    return field.length > maxTextBytes ? undefined : decodeField(field);
  };
  const count = toIndex(textOf('count') ?? '');
  const offset = toIndex(textOf('ofs') || '0');
  const headers = textOf('headers');
  if (count === undefined || offset === undefined || headers === undefined) return undefined;
  if (count > maxMessages) return undefined;
  const messages: Buffer[] = [];
  for (let at = 0; at < count; at++) {
    const message = form.get(`req${at}___data__`);
    if (message === undefined) return undefined;
    messages.push(message);
  }
  return { offset, messages, bytes: body.length, headers: decodeHeaderLines(headers) };
}

/** Splits a form into its encoded values by name; returns undefined when it has too many fields. */
function splitForm(body: Buffer): ReadonlyMap<string, Buffer> | undefined {
  const form = new Map<string, Buffer>();
  let start = 0;
  for (let fields = 0; start < body.length; fields++) {
    if (fields === maxFormFields) return undefined;
    const next = body.indexOf(and, start);
    const field = body.subarray(start, next === -1 ? undefined : next);
    const nameBytes = field.indexOf(equals);
    if (nameBytes !== -1 && nameBytes <= maxNameBytes) {
      form.set(field.toString('latin1', 0, nameBytes), field.subarray(nameBytes + 1));
    }
    start += field.length + 1;
  }
  return form;
}

/**
 * Decodes a value of a form, whose bytes it changes: `replaceAll` of a text takes 34 bytes of memory for each match.
 * Returns undefined when it is malformed.
 */
export function decodeField(value: Buffer): string | undefined {
  for (let at = 0; at < value.length; at++) if (value[at] === plus) value[at] = blank;
  try {
    return decodeURIComponent(value.toString());
  } catch {
    return undefined;
  }
}

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
