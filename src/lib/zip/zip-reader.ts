import { crc32 } from './crc32.ts';
import { entryMaxCount, flags, headLengths, methods, piped, signatures } from './zip-format.ts';

/**
 * The reasons why a zip file is not read.
 * - `damaged`: it is not a zip file, is truncated, or fails a checksum.
 * - `unsafe`: a name leads out of the folder, occurs twice, or an entry is larger than declared, as in an attack.
 */
export type ZipProblem = 'damaged' | 'unsafe';

export class ZipError extends Error {
  override readonly name = 'ZipError';
  readonly problem: ZipProblem;

  constructor(problem: ZipProblem, options?: ErrorOptions) {
    super(problem, options);
    this.problem = problem;
  }
}

export interface ZipEntry {
  readonly name: string;
  /** The length of the uncompressed bytes. */
  readonly byteLength: number;
}

/** An open zip file. Only its directory is in memory. */
export interface Zip {
  /** The entries that are not folders, by name. */
  readonly entries: ReadonlyMap<string, ZipEntry>;
  /**
   * Returns the bytes of an entry; null if there is none of that name.
   * @throws {ZipError} also if it is larger than `maxBytes` or than declared.
   */
  read(name: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | null>;
}

interface Listed extends ZipEntry {
  readonly method: number;
  readonly packedLength: number;
  readonly crc: number;
  readonly offset: number;
}

const commentMaxLength = 0xffff;

function damaged(): never {
  throw new ZipError('damaged');
}

async function viewOf(file: Blob, from: number, length: number): Promise<DataView> {
  if (from < 0 || from + length > file.size) damaged();
  return new DataView(await file.slice(from, from + length).arrayBuffer());
}

interface Directory {
  readonly count: number;
  readonly byteLength: number;
  readonly offset: number;
}

/** Finds the end record. It lies before a comment whose length only the record knows. */
async function findDirectory(file: Blob): Promise<Directory> {
  const length = Math.min(file.size, headLengths.end + commentMaxLength);
  const view = await viewOf(file, file.size - length, length);
  for (let at = length - headLengths.end; at >= 0; at -= 1) {
    if (view.getUint32(at, true) !== signatures.end) continue;
    if (at + headLengths.end + view.getUint16(at + 20, true) !== length) continue;
    return {
      count: view.getUint16(at + 10, true),
      byteLength: view.getUint32(at + 12, true),
      offset: view.getUint32(at + 16, true),
    };
  }
  return damaged();
}

/** Whether a name leads out of the folder that it is unpacked to. */
function isUnsafe(name: string): boolean {
  return (
    name === '' ||
    name.includes('\\') ||
    // oxlint-disable-next-line no-control-regex
    /^\/|^[a-z]:|[\u0000-\u001f]/i.test(name) ||
    name.split('/').some((part) => part === '..' || part === '.')
  );
}

function listOf(view: DataView, count: number): Listed[] {
  const decoder = new TextDecoder();
  const listed: Listed[] = [];
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    if (at + headLengths.central > view.byteLength) damaged();
    if (view.getUint32(at, true) !== signatures.central) damaged();
    if ((view.getUint16(at + 8, true) & flags.encrypted) !== 0) damaged();
    const nameLength = view.getUint16(at + 28, true);
    const nameAt = at + headLengths.central;
    if (nameAt + nameLength > view.byteLength) damaged();
    const name = decoder.decode(new Uint8Array(view.buffer, view.byteOffset + nameAt, nameLength));
    listed.push({
      // A Mac that packs a folder again may store letters and their accents separately.
      name: name.normalize('NFC'),
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      packedLength: view.getUint32(at + 20, true),
      byteLength: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
    });
    at = nameAt + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return listed;
}

function byName(listed: readonly Listed[]): ReadonlyMap<string, Listed> {
  const entries = new Map<string, Listed>();
  for (const entry of listed) {
    if (isUnsafe(entry.name) || entries.has(entry.name)) throw new ZipError('unsafe');
    if (!entry.name.endsWith('/')) entries.set(entry.name, entry);
  }
  return entries;
}

async function packedBytes(file: Blob, { offset, packedLength }: Listed): Promise<Blob> {
  const head = await viewOf(file, offset, headLengths.local);
  if (head.getUint32(0, true) !== signatures.local) damaged();
  const from = offset + headLengths.local + head.getUint16(26, true) + head.getUint16(28, true);
  if (from + packedLength > file.size) damaged();
  return file.slice(from, from + packedLength);
}

/** Decompresses an entry. Stops as soon as there are more bytes than declared. */
async function unpack(
  packed: Blob,
  { method, byteLength }: Listed,
): Promise<Uint8Array<ArrayBuffer>> {
  if (method === methods.stored) {
    if (packed.size !== byteLength) damaged();
    return new Uint8Array(await packed.arrayBuffer());
  }
  if (method !== methods.deflated) damaged();
  const bytes = new Uint8Array(byteLength);
  let length = 0;
  for await (const chunk of piped(packed, new DecompressionStream('deflate-raw'))) {
    if (length + chunk.byteLength > byteLength) throw new ZipError('unsafe');
    bytes.set(chunk, length);
    length += chunk.byteLength;
  }
  return length === byteLength ? bytes : damaged();
}

/** Opens a zip file. @throws {ZipError} if it is damaged or unsafe. */
export async function openZip(file: Blob): Promise<Zip> {
  const { count, byteLength, offset } = await findDirectory(file);
  // Larger archives store these numbers elsewhere; the app's own exports never do.
  if (count === entryMaxCount) damaged();
  const entries = byName(listOf(await viewOf(file, offset, byteLength), count));
  const read = async (name: string, maxBytes: number) => {
    const entry = entries.get(name);
    if (entry === undefined) return null;
    if (entry.byteLength > maxBytes) throw new ZipError('unsafe');
    try {
      const bytes = await unpack(await packedBytes(file, entry), entry);
      return crc32(bytes) === entry.crc ? bytes : damaged();
    } catch (error) {
      // The browser throws an error of its own for bytes that it cannot decompress.
      throw error instanceof ZipError ? error : new ZipError('damaged', { cause: error });
    }
  };
  return { entries, read };
}
