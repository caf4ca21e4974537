import { invalid } from '../../storage/storage-error.ts';

const maxPreambleBytes = 1024;
const maxHeaderBytes = 8 * 1024;
export const maxMetadataBytes = 64 * 1024;

/**
 * Reads a body of two parts: metadata as JSON, then the contents, which are streamed. A body without its closing delimiter
 * is refused, since its contents may be incomplete.
 */
export async function readMultipart(
  bytes: AsyncIterable<Uint8Array>,
  { contentType, contentLength }: { contentType: string; contentLength: number | null },
) {
  const delimiter = `\r\n--${boundaryOf(contentType)}`;
  const reader = createReader(bytes);
  try {
    await reader.readUntil(delimiter, maxPreambleBytes);
    await readHeaders(reader);
    const metadata = await reader.readUntil(delimiter, maxMetadataBytes);
    const headers = await readHeaders(reader);
    const rest = contentLength === null ? -1 : contentLength - reader.bytesRead();
    const announced = rest - Buffer.byteLength(delimiter) - '--'.length;
    return {
      metadata: metadata.toString('utf8'),
      /** The content type of the second part. */
      contentType: /^content-type:(.*)$/im.exec(headers)?.[1]?.trim() ?? null,
      /** The size of the contents if nothing follows the closing delimiter; null when the body has no known length. */
      announcedSize: announced < 0 ? null : announced,
      contents: reader.contentsUntil(delimiter),
      /** Stops reading the body; necessary when the contents are not read to the end. */
      close: reader.close,
    };
  } catch (error) {
    await reader.close();
    throw error;
  }
}

function boundaryOf(contentType: string): string {
  const match = /^multipart\/related\s*;.*?\bboundary=(?:"([^"]{1,100})"|([^\s;"]{1,100}))/i.exec(
    contentType,
  );
  const boundary = match?.[1] ?? match?.[2];
  if (boundary === undefined) throw invalid('The body must be multipart/related with a boundary.');
  return boundary;
}

/** Reads the headers of a part, after the rest of the line of its delimiter. */
async function readHeaders(reader: Reader): Promise<string> {
  const text = (await reader.readUntil('\r\n\r\n', maxHeaderBytes)).toString('latin1');
  if (text.startsWith('--')) throw invalid('The multipart body has too few parts.');
  return text;
}

type Reader = ReturnType<typeof createReader>;

function createReader(bytes: AsyncIterable<Uint8Array>) {
  const source = bytes[Symbol.asyncIterator]();
  // A delimiter begins with a line break; the first one in the body has none, so it is added.
  let buffered: Buffer = Buffer.from('\r\n');
  let total = -buffered.length;

  const take = (length: number): Buffer => {
    const taken = buffered.subarray(0, length);
    buffered = buffered.subarray(length);
    total += taken.length;
    return taken;
  };
  const more = async (): Promise<void> => {
    const next = await source.next();
    if (next.done === true) throw invalid('The multipart body is incomplete.');
    buffered = Buffer.concat([buffered, next.value]);
  };

  return {
    bytesRead: () => total,
    async readUntil(delimiter: string, maxBytes: number): Promise<Buffer> {
      for (;;) {
        const at = buffered.indexOf(delimiter, 0, 'latin1');
        if (at > maxBytes || (at === -1 && buffered.length > maxBytes + delimiter.length)) {
          throw invalid('A part of the multipart body is too long.');
        }
        if (at !== -1) {
          const taken = take(at);
          take(delimiter.length);
          return taken;
        }
        await more();
      }
    },
    /** Yields the contents of the last part. */
    async *contentsUntil(delimiter: string): AsyncGenerator<Buffer> {
      for (;;) {
        const at = buffered.indexOf(delimiter, 0, 'latin1');
        // The end of the buffer may be the beginning of the delimiter, so it is kept.
        const ready = at === -1 ? buffered.length - delimiter.length + 1 : at;
        if (ready > 0) yield take(ready);
        if (at !== -1) break;
        await more();
      }
      take(delimiter.length);
      while (buffered.length < 2) await more();
      if (take(2).toString('latin1') !== '--')
        throw invalid('The multipart body has too many parts.');
    },
    close: async () => void (await source.return?.()),
  };
}
