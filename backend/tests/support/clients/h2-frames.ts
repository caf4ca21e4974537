import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';

const frameTypes = ['DATA', 'HEADERS', 'PRIORITY', 'RST_STREAM', 'SETTINGS'] as const;
const headBytes = 9;
const endStream = 0x1;
const endHeaders = 0x4;

interface Frame {
  readonly type: (typeof frameTypes)[number];
  readonly flags: number;
  readonly streamId: number;
  readonly payload: Buffer;
}

function encode({ type, flags, streamId, payload }: Frame): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = frameTypes.indexOf(type);
  head[4] = flags;
  head.writeUInt32BE(streamId, 5);
  return Buffer.concat([head, payload]);
}

/** Encodes fields for HPACK as literals that are not indexed; each name and value has less than 127 bytes. */
const encodeFields = (fields: Readonly<Record<string, string>>): Buffer =>
  Buffer.concat(
    Object.entries(fields).flatMap(([name, value]) => [
      Buffer.from([0, name.length]),
      Buffer.from(name),
      Buffer.from([value.length]),
      Buffer.from(value),
    ]),
  );

const openConnection = async (port: number): Promise<TLSSocket> => {
  const options = { port, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: ['h2'] };
  const socket = connect(options);
  await once(socket, 'secureConnect');
  return socket;
};

const settings: Frame = { type: 'SETTINGS', flags: 0, streamId: 0, payload: Buffer.alloc(0) };
const preface = Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), encode(settings)]);

/** Sends that many requests for the root at once, and resets each of them. @returns the connection. */
export async function sendResetRequests(port: number, count: number): Promise<TLSSocket> {
  const socket = await openConnection(port);
  const fields = { ':method': 'GET', ':path': '/', ':scheme': 'https', ':authority': 'localhost' };
  const head = { type: 'HEADERS', flags: endStream + endHeaders } as const;
  const reset = { type: 'RST_STREAM', flags: 0, payload: Buffer.from([0, 0, 0, 8]) } as const;
  const payload = encodeFields(fields);
  const frames = Array.from({ length: count }, (_, at) => {
    const streamId = 2 * at + 1;
    return [encode({ ...head, streamId, payload }), encode({ ...reset, streamId })];
  });
  socket.on('error', () => undefined).resume();
  socket.write(Buffer.concat([preface, ...frames.flat()]));
  return socket;
}

/**
 * Sends one request without a body on a new HTTP/2 connection, together with the preface, as Chromium does.
 * @returns the types of the frames of its answer, up to the end of the next request's answer.
 */
export async function framesOfAnswer(
  port: number,
  fields: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const socket = await openConnection(port);
  const payload = encodeFields(fields);
  const request = (streamId: number) =>
    encode({ type: 'HEADERS', flags: endStream + endHeaders, streamId, payload });
  socket.write(Buffer.concat([preface, request(1)]));
  const seen: string[] = [];
  let rest = Buffer.alloc(0);
  for await (const bytes of socket) {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      if (rest.length < headBytes) break;
      const length = headBytes + rest.readUIntBE(0, 3);
      if (rest.length < length) break;
      const streamId = rest.readUInt32BE(5);
      const type = frameTypes[rest[3] ?? 0];
      const isEnd = ((rest[4] ?? 0) & endStream) !== 0;
      rest = rest.subarray(length);
      if (streamId === 1 && type !== undefined) {
        seen.push(type);
        // The answer to a second request comes after all frames of the first one.
        if (type === 'HEADERS') socket.write(request(3));
      }
      if (streamId === 3 && isEnd) {
        socket.destroy();
        return seen;
      }
    }
  }
  return seen;
}
