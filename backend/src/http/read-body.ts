import type { IncomingMessage } from 'node:http';

/**
 * - Bodies are kept up to a limit; what exceeds it is read and thrown away, because a client that is
 *   still sending does not see an answer. Beyond the drain limit the connection is cut.
 */
export const MAX_BODY_BYTES = 10 * 1024 * 1024;
const MAX_DRAINED_BYTES = 10 * MAX_BODY_BYTES;

export type BodyResult =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: 'too-large' | 'aborted' };

export async function readBody(
  request: IncomingMessage,
  maxBytes = MAX_BODY_BYTES,
): Promise<BodyResult> {
  const body = await readBytes(request, maxBytes);
  return body.ok ? { ok: true, text: body.bytes.toString('utf8') } : body;
}

export type BytesResult =
  | { readonly ok: true; readonly bytes: Buffer<ArrayBuffer> }
  | { readonly ok: false; readonly reason: 'too-large' | 'aborted' };

export async function readBytes(request: IncomingMessage, maxBytes: number): Promise<BytesResult> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request) {
      if (!Buffer.isBuffer(chunk)) continue;
      bytes += chunk.length;
      if (bytes <= maxBytes) chunks.push(chunk);
      else chunks.length = 0;
      if (bytes > MAX_DRAINED_BYTES) break;
    }
  } catch {
    return { ok: false, reason: 'aborted' };
  }
  if (bytes > maxBytes) return { ok: false, reason: 'too-large' };
  return { ok: true, bytes: Buffer.concat(chunks) };
}
