// This test is beside the code that uses zip files, because tests here run with the real Blob, which jsdom lacks.
import { describe, expect, it } from 'vitest';
import { ZipError, openZip } from '../../lib/zip/zip-reader.ts';
import { createZipWriter } from '../../lib/zip/zip-writer.ts';

const text = (content: string): Blob => new Blob([content]);
const modifiedMs = new Date(2026, 4, 3, 14, 5, 6).getTime();

async function zipOf(files: Readonly<Record<string, string>>, isText = false): Promise<Blob> {
  const writer = createZipWriter();
  for (const [name, content] of Object.entries(files)) {
    await writer.add({ name, content: text(content), modifiedMs, isText });
  }
  return writer.finish();
}

async function readText(zip: Blob, name: string): Promise<string | null> {
  const bytes = await (await openZip(zip)).read(name, 1_000_000);
  return bytes === null ? null : new TextDecoder().decode(bytes);
}

/** Returns a copy with other bytes at a position, which counts from the end if it is negative. */
async function patched(zip: Blob, at: number, ...bytes: readonly number[]): Promise<Blob> {
  const copy = new Uint8Array(await zip.arrayBuffer());
  copy.set(bytes, at < 0 ? copy.length + at : at);
  return new Blob([copy]);
}

async function indexOf(zip: Blob, signature: string, nth = 0): Promise<number> {
  const content = Buffer.from(await zip.arrayBuffer()).toString('latin1');
  return content.split(signature, nth + 1).join(signature).length;
}

async function problemOf(zip: Blob, name = 'a'): Promise<string> {
  try {
    await (await openZip(zip)).read(name, 1_000);
    return 'none';
  } catch (error) {
    if (error instanceof ZipError) return error.problem;
    throw error;
  }
}

const central = 'PK\u0001\u0002';

describe('a zip file', () => {
  it.each([true, false])('returns the packed bytes unchanged: %s', async (isText) => {
    const files = {
      'Möss 🐕/journal.md': 'Ducks. '.repeat(9_000),
      empty: '',
      'a/b/c.bin': 'PK\u0007\b',
    };
    const zip = await zipOf(files, isText);
    expect([...(await openZip(zip)).entries.keys()]).toEqual(Object.keys(files));
    for (const [name, content] of Object.entries(files))
      expect(await readText(zip, name)).toBe(content);
    expect(await readText(zip, 'none')).toBeNull();
    expect(zip.size < 1_500).toBe(isText);
  });

  /** The cases are a folder, a compressed file, a stored file, and a comment. */
  it.each([
    [
      'Info-ZIP, with fields of its own',
      'UEsDBAoAAAAAAKNwo1wAAAAAAAAAAAAAAAAEABwAc3ViL1VUCQADElb3aVssAmt1eAsAAQQAAAAABAAAAABQSwMEFAAAAAgAo3CjXCDKC+sMAAAA0gAAAA4AHABzdWIvcGFja2VkLnR4dFVUCQADElb3aRJW92l1eAsAAQQAAAAABAAAAABzKU3OLtZTcBk+FABQSwMECgAAAAAAo3CjXFXbsxoDAAAAAwAAAAcAHAByYXcuYmluVVQJAAMSVvdpElb3aXV4CwABBAAAAAAEAAAAAHJhd1BLAQIeAwoAAAAAAKNwo1wAAAAAAAAAAAAAAAAEABgAAAAAAAAAEADtQQAAAABzdWIvVVQFAAMSVvdpdXgLAAEEAAAAAAQAAAAAUEsBAh4DFAAAAAgAo3CjXCDKC+sMAAAA0gAAAA4AGAAAAAAAAQAAAKSBPgAAAHN1Yi9wYWNrZWQudHh0VVQFAAMSVvdpdXgLAAEEAAAAAAQAAAAAUEsBAh4DCgAAAAAAo3CjXFXbsxoDAAAAAwAAAAcAGAAAAAAAAQAAAKSBkgAAAHJhdy5iaW5VVAUAAxJW92l1eAsAAQQAAAAABAAAAABQSwUGAAAAAAMAAwDrAAAA1gAAAAkAYSBjb21tZW50',
    ],
    [
      'Python, with sizes after the bytes',
      'UEsDBBQACAAAAKNwo1wAAAAAAAAAAAAAAAAEAAAAc3ViL1BLBwgAAAAAAAAAAAAAAABQSwMEFAAIAAAAo3CjXAAAAAAAAAAAAAAAAAcAAAByYXcuYmlucmF3UEsHCFXbsxoDAAAAAwAAAFBLAwQUAAgACACjcKNcAAAAAAAAAAAAAAAADgAAAHN1Yi9wYWNrZWQudHh0cylNzi7WU3AZPhQAUEsHCCDKC+sMAAAA0gAAAFBLAQIUAxQACAAAAKNwo1wAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAACAAQAAAABzdWIvUEsBAhQDFAAIAAAAo3CjXFXbsxoDAAAAAwAAAAcAAAAAAAAAAAAAAIABMgAAAHJhdy5iaW5QSwECFAMUAAgACACjcKNcIMoL6wwAAADSAAAADgAAAAAAAAAAAAAAgAFqAAAAc3ViL3BhY2tlZC50eHRQSwUGAAAAAAMAAwCjAAAAsgAAAAkAYSBjb21tZW50',
    ],
  ])('made by %s is read', async (_tool, base64) => {
    const zip = new Blob([Buffer.from(base64, 'base64')]);
    expect(await readText(zip, 'sub/packed.txt')).toBe('Ducks. '.repeat(30));
    expect(await readText(zip, 'raw.bin')).toBe('raw');
    expect((await openZip(zip)).entries.size).toBe(2);
  });

  it('can be read by other tools', async () => {
    // `unzip -t` and Python's zipfile accept this file.
    const zip = await zipOf({ 'Möss/a.txt': 'Ducks' });
    expect(Buffer.from(await zip.arrayBuffer()).toString('base64')).toBe(
      'UEsDBBQAAAgAAKNwo1ypviQyBQAAAAUAAAALAAAATcO2c3MvYS50eHREdWNrc1BLAQIUABQAAAgAAKNwo1ypviQyBQAAAAUAAAALAAAAAAAAAAAAAAAAAAAAAABNw7Zzcy9hLnR4dFBLBQYAAAAAAQABADkAAAAuAAAAAAA=',
    );
  });

  it('has room up to a size, and reserves more for required entries', async () => {
    const writer = createZipWriter(100);
    expect(writer.hasRoomFor(100)).toBe(true);
    await writer.add({ name: 'a', content: text('x'.repeat(50)), modifiedMs, isText: false });
    expect(writer.hasRoomFor(50)).toBe(false);
    await writer.add({ name: 'b', content: text('y'.repeat(50)), modifiedMs, isText: false });
    expect((await openZip(writer.finish())).entries.size).toBe(2);
  });
});

describe('a bad zip file', () => {
  it('that is empty, truncated or no zip file is damaged, and a whole one is not', async () => {
    const zip = await zipOf({ a: 'content' });
    expect(await problemOf(zip)).toBe('none');
    expect(await problemOf(text(''))).toBe('damaged');
    expect(await problemOf(text('no zip at all '.repeat(99)))).toBe('damaged');
    for (let length = zip.size - 1; length > 0; length -= 1) {
      expect(await problemOf(zip.slice(0, length)), `${length} bytes`).toBe('damaged');
    }
  });

  it('with changed bytes is damaged', async () => {
    const zip = await zipOf({ a: 'content' });
    expect(await problemOf(await patched(zip, 30 + 1 + 2, 0))).toBe('damaged');
    const packed = await zipOf({ a: 'content '.repeat(99) }, true);
    expect(await problemOf(await patched(packed, 30 + 1 + 2, 0xff, 0xff, 0xff))).toBe('damaged');
  });

  it.each(['../up', 'a/../../up', '/etc/passwd', 'C:\\windows', 'c:up', 'a\\b', 'a/./b', 'nul\0'])(
    'with the name %j is unsafe',
    async (name) => {
      expect(await problemOf(await zipOf({ [name]: 'x' }))).toBe('unsafe');
    },
  );

  it('with one name twice is unsafe', async () => {
    const writer = createZipWriter();
    for (const content of ['one', 'two']) {
      await writer.add({ name: 'a', content: text(content), modifiedMs, isText: false });
    }
    expect(await problemOf(writer.finish())).toBe('unsafe');
  });

  it('with more in it than it says is unsafe, and is not unpacked to the end', async () => {
    const zip = await zipOf({ a: '0'.repeat(20_000_000) }, true);
    expect(zip.size).toBeLessThan(30_000);
    expect(await problemOf(zip)).toBe('unsafe');
    const directory = await indexOf(zip, central);
    expect(await problemOf(await patched(zip, directory + 24, 100, 0, 0, 0))).toBe('unsafe');
    expect(await problemOf(await patched(zip, directory + 24, 0, 0, 0, 0))).toBe('unsafe');
  });

  it('that is encrypted, or compressed by an unknown method, is damaged', async () => {
    const zip = await zipOf({ a: 'content' });
    const directory = await indexOf(zip, central);
    expect(await problemOf(await patched(zip, directory + 8, 1))).toBe('damaged');
    expect(await problemOf(await patched(zip, directory + 10, 99))).toBe('damaged');
  });

  it('with a wrong offset or length is damaged', async () => {
    const zip = await zipOf({ a: 'content' });
    const directory = await indexOf(zip, central);
    expect(await problemOf(await patched(zip, directory + 42, 9, 0, 0, 0))).toBe('damaged');
    expect(await problemOf(await patched(zip, directory + 42, 255, 255, 255, 255))).toBe('damaged');
    expect(await problemOf(await patched(zip, -6, 255, 255, 255, 127))).toBe('damaged');
    expect(await problemOf(await patched(zip, directory + 28, 255, 255))).toBe('damaged');
    expect(await problemOf(await patched(zip, directory + 20, 255, 255, 255, 127))).toBe('damaged');
  });
});
