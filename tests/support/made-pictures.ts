import { crc32, deflateSync } from 'node:zlib';

/** A file for an `<input type="file">`, as Playwright takes it. */
export interface MadeFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

function segment(marker: number, ...content: number[]): Buffer {
  const length = content.length + 2;
  return Buffer.from([0xff, marker, length >> 8, length & 0xff, ...content]);
}

/** A Huffman table of one code, the bit 0, for the symbol 0. */
const oneCode = [1, ...Array.from({ length: 15 }, () => 0), 0];

/** Comments, which no decoder reads. */
function padding(byteLength: number): Buffer[] {
  const most = 0xffff - 2;
  const count = Math.ceil(byteLength / (most + 4));
  return Array.from({ length: count }, () => segment(0xfe, ...new Uint8Array(most)));
}

/** An even grey, which takes two bits for each block of 8 by 8. */
export function greyJpeg(width: number, height: number, paddingBytes = 0): Buffer {
  const size = [height >> 8, height & 0xff, width >> 8, width & 0xff];
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...padding(paddingBytes),
    segment(0xdb, 0, ...Array.from({ length: 64 }, () => 1)),
    segment(0xc0, 8, ...size, 1, 1, 0x11, 0),
    segment(0xc4, 0x00, ...oneCode),
    segment(0xc4, 0x10, ...oneCode),
    segment(0xda, 1, 1, 0, 0, 63, 0),
    Buffer.alloc(Math.ceil((blocks * 2) / 8)),
    Buffer.from([0xff, 0xd9]),
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(content.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** All black. */
export function blackPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const rows = deflateSync(Buffer.alloc((width + 1) * height), { level: 1 });
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const chunks = [chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([signature, ...chunks]);
}

export function jpegFile(name: string, buffer: Buffer): MadeFile {
  return { name, mimeType: 'image/jpeg', buffer };
}
