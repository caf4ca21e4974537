import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FileToUpload, RemoteFiles } from '../../replication/ports.ts';
import { md5Of } from '../support/fakes/memory-remote-files.ts';
import { bytesOf, textOf } from '../support/setups/test-outbox.ts';

export interface RemoteFilesSetup {
  readonly files: RemoteFiles;
  /** A client whose server does not answer. */
  readonly unreachable: RemoteFiles;
  /** A dog of the signed-in owner that is on the server. */
  readonly petId: string;
  dispose(): Promise<void>;
}

const signal = new AbortController().signal;

/** Defines the suite that every implementation of {@link RemoteFiles} must pass. */
export function describeRemoteFiles(name: string, setup: () => Promise<RemoteFilesSetup>): void {
  describe(`RemoteFiles: ${name}`, () => {
    let opened: RemoteFilesSetup;
    let files: RemoteFiles;

    beforeAll(async () => {
      opened = await setup();
      ({ files } = opened);
    });
    afterAll(() => opened.dispose());

    const jpeg = (text: string, part = 'profile.jpg'): FileToUpload => ({
      objectName: `pets/${opened.petId}/images/${part}`,
      contentType: 'image/jpeg',
      bytes: bytesOf(text),
    });

    it('confirms size and hash of what it stored', async () => {
      const file = jpeg('Rex in the reeds');
      const confirmed = await files.upload(file, signal);
      const size = { byteLength: file.bytes.byteLength, md5: md5Of(file.bytes) };
      expect(confirmed).toMatchObject({ objectName: file.objectName, ...size });
      expect(await files.stat(file.objectName, signal)).toMatchObject(size);
    });

    it('returns any bytes unchanged', async () => {
      const bytes = new Uint8Array(300_000).map((_, index) => (index * 31) % 256).buffer;
      const file = { ...jpeg(''), bytes };
      await files.upload(file, signal);
      const loaded = await files.download(file.objectName, signal);
      expect(loaded?.md5).toBe(md5Of(bytes));
      expect(md5Of(loaded?.bytes ?? new ArrayBuffer(0))).toBe(md5Of(bytes));
      expect(loaded?.contentType).toBe('image/jpeg');
    });

    it('accepts the same file twice, and a new one in its place', async () => {
      await files.upload(jpeg('one'), signal);
      await files.upload(jpeg('one'), signal);
      await files.upload(jpeg('two'), signal);
      const loaded = await files.download(jpeg('').objectName, signal);
      expect(textOf(loaded?.bytes)).toBe('two');
    });

    it('replaces the expected file, and no other', async () => {
      const md5 = (text: string): string => md5Of(bytesOf(text));
      const { objectName } = jpeg('');
      const replaced = { kind: 'transient', code: 'replaced' };
      await files.remove(objectName, signal);
      await files.upload({ ...jpeg('one'), replaces: null }, signal);
      await expect(files.upload({ ...jpeg('two'), replaces: null }, signal)).rejects.toMatchObject(
        replaced,
      );
      await files.upload({ ...jpeg('two'), replaces: md5('one') }, signal);
      await expect(
        files.upload({ ...jpeg('three'), replaces: md5('one') }, signal),
      ).rejects.toMatchObject(replaced);
      expect(textOf((await files.download(objectName, signal))?.bytes)).toBe('two');
      // A client whose answer was lost sends the same bytes again.
      await files.upload({ ...jpeg('two'), replaces: md5('one') }, signal);
      await files.upload(jpeg('four'), signal);
      expect(textOf((await files.download(objectName, signal))?.bytes)).toBe('four');
    });

    it('never overwrites a recording where none is expected', async () => {
      const recording = (text: string) => ({
        objectName: `pets/${opened.petId}/audios/voice-note-1700000000123.webm`,
        contentType: 'audio/webm',
        bytes: bytesOf(text),
        replaces: null,
      });
      await files.upload(recording('one'), signal);
      await expect(files.upload(recording('two'), signal)).rejects.toMatchObject({
        kind: 'transient',
        code: 'replaced',
      });
      const { objectName } = recording('');
      expect(textOf((await files.download(objectName, signal))?.bytes)).toBe('one');
    });

    it('reports a missing file', async () => {
      const { objectName } = jpeg('', 'profile.webp');
      expect(await files.stat(objectName, signal)).toBeNull();
      expect(await files.download(objectName, signal)).toBeNull();
    });

    it('removes a file, and succeeds for a missing one', async () => {
      const file = jpeg('gone', 'profile.png');
      await files.upload({ ...file, contentType: 'image/png' }, signal);
      await files.remove(file.objectName, signal);
      expect(await files.stat(file.objectName, signal)).toBeNull();
      expect(await files.remove(file.objectName, signal)).toBeUndefined();
    });

    it('a server that does not answer is a transient failure', async () => {
      const transient = { kind: 'transient' };
      const { unreachable } = opened;
      const { objectName } = jpeg('x');
      await expect(unreachable.upload(jpeg('x'), signal)).rejects.toMatchObject(transient);
      await expect(unreachable.stat(objectName, signal)).rejects.toMatchObject(transient);
      await expect(unreachable.download(objectName, signal)).rejects.toMatchObject(transient);
      await expect(unreachable.remove(objectName, signal)).rejects.toMatchObject(transient);
    });

    it('does nothing after it was aborted', async () => {
      const stopped = AbortSignal.abort(new Error('stopped'));
      await files.upload(jpeg('stays'), signal);
      await expect(files.upload(jpeg('x'), stopped)).rejects.toThrow('stopped');
      await expect(files.remove(jpeg('x').objectName, stopped)).rejects.toThrow('stopped');
      const loaded = await files.download(jpeg('x').objectName, signal);
      expect(textOf(loaded?.bytes)).toBe('stays');
    });
  });
}
