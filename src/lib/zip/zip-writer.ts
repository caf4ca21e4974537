import { crc32 } from './crc32.ts';
import {
  entryMaxCount,
  flags,
  headLengths,
  methods,
  piped,
  signatures,
  zipMaxBytes,
} from './zip-format.ts';

export interface NewZipEntry {
  /** The name, with `/` between folders. */
  readonly name: string;
  readonly content: Blob;
  /** Epoch milliseconds. A zip file stores local time in steps of two seconds, from 1980 on. */
  readonly modifiedMs: number;
  /** Whether to compress the content. Compressing other files only costs time, as they are compressed already. */
  readonly isText: boolean;
}

/** Writes a zip file piece by piece. */
export interface ZipWriter {
  /**
   * Whether an optional entry fits. The format has 16 and 32 bit limits, and some room is reserved for required
   * entries.
   */
  hasRoomFor(byteLength: number): boolean;
  add(entry: NewZipEntry): Promise<void>;
  finish(): Blob;
}

interface Packed {
  readonly parts: readonly BlobPart[];
  readonly byteLength: number;
}

async function checksumOf(content: Blob): Promise<number> {
  let crc = 0;
  for await (const chunk of piped(content, new TransformStream())) crc = crc32(chunk, crc);
  return crc;
}

async function deflated(content: Blob): Promise<Packed> {
  const parts: BlobPart[] = [];
  let byteLength = 0;
  for await (const chunk of piped(content, new CompressionStream('deflate-raw'))) {
    parts.push(new Blob([chunk]));
    byteLength += chunk.byteLength;
  }
  return { parts, byteLength };
}

/** Returns a date and time as the number that MS-DOS uses. */
function dosTime(ms: number): number {
  const date = new Date(ms);
  if (!(date.getFullYear() >= 1980 && date.getFullYear() < 2108)) return (1 << 21) | (1 << 16);
  const day = ((date.getFullYear() - 1980) << 9) | ((date.getMonth() + 1) << 5) | date.getDate();
  const time = (date.getHours() << 11) | (date.getMinutes() << 5) | (date.getSeconds() >> 1);
  return ((day << 16) | time) >>> 0;
}

/** Returns a record of little-endian numbers of two and four bytes. */
function record(
  ...fields: readonly (readonly [bytes: 2 | 4, value: number])[]
): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(fields.reduce((sum, [length]) => sum + length, 0));
  const view = new DataView(bytes.buffer);
  let offset = 0;
  for (const [length, value] of fields) {
    if (length === 2) view.setUint16(offset, value, true);
    else view.setUint32(offset, value, true);
    offset += length;
  }
  return bytes;
}

const version = 20;

/** The maximum number of entries for {@link ZipWriter.hasRoomFor}; the rest is reserved for required entries. */
const roomMaxCount = entryMaxCount - 5_000;

/**
 * Creates a writer.
 *
 * - Pieces become `Blob`s as they are written, which the browser may keep on disk; memory holds one file at a time.
 * - Sizes and checksums precede the bytes, so that readers that only read forwards can read the file.
 *
 * @param maxBytes the size up to which optional entries fit.
 */
export function createZipWriter(maxBytes = zipMaxBytes / 2): ZipWriter {
  const parts: BlobPart[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  let count = 0;

  const add = async ({ name, content, modifiedMs, isText }: NewZipEntry): Promise<void> => {
    if (count === entryMaxCount || offset + content.size > zipMaxBytes) {
      throw new RangeError('A zip file cannot hold more');
    }
    const encodedName = new TextEncoder().encode(name);
    const crc = await checksumOf(content);
    const packed = isText
      ? await deflated(content)
      : { parts: [content], byteLength: content.size };
    const common = [
      [2, version],
      [2, flags.utf8],
      [2, isText ? methods.deflated : methods.stored],
      [4, dosTime(modifiedMs)],
      [4, crc],
      [4, packed.byteLength],
      [4, content.size],
      [2, encodedName.byteLength],
      [2, 0],
    ] as const;
    directory.push(
      record(
        [4, signatures.central],
        [2, version],
        ...common,
        [2, 0],
        [2, 0],
        [2, 0],
        [4, 0],
        [4, offset],
      ),
      encodedName,
    );
    parts.push(record([4, signatures.local], ...common), encodedName, ...packed.parts);
    offset += headLengths.local + encodedName.byteLength + packed.byteLength;
    count += 1;
  };

  return {
    hasRoomFor: (byteLength) => count < roomMaxCount && offset + byteLength <= maxBytes,
    add,
    finish: () => {
      const size = directory.reduce((sum, { byteLength }) => sum + byteLength, 0);
      const end = record(
        [4, signatures.end],
        [4, 0],
        [2, count],
        [2, count],
        [4, size],
        [4, offset],
        [2, 0],
      );
      return new Blob([...parts, ...directory, end], { type: 'application/zip' });
    },
  };
}
