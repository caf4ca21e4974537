import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { spawnBackend } from '../support/servers/backend-process.ts';
import { eventually } from '../support/eventually.ts';
import { signUpWithPet, storageClientFor } from '../support/clients/storage-client.ts';
import { md5 } from '../support/clients/storage-user.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** The time limits allow for a busy machine; the tests themselves wait for conditions. */
vi.setConfig({ testTimeout: 120_000 });

const mib = 1024 * 1024;
/** The observed growth is 3; a server that keeps one of the bodies takes 50 more. */
const maxGrowthMib = 30;

async function peakMib(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

describe.skipIf(process.platform !== 'linux')('memory of the server', () => {
  it('stays the same for files of 50 MiB, however they come and go', async () => {
    const server = spawnBackend(['--port', '0', '--data', await tempFolder()]);
    const port = await server.port;
    const client = storageClientFor({ port }, await signUpWithPet(port));
    const pid = server.child.pid ?? 0;
    const bytes = new Uint8Array(50 * mib).fill(7);
    // Everything is loaded and compiled before it is measured.
    await client.multipart('small', {}, 'x');
    await client.upload('small', new Uint8Array(mib));
    const before = await peakMib(pid);

    const text = 'x'.repeat(bytes.length);
    expect((await client.multipart('multipart', {}, text)).status).toBe(200);
    const { url } = await client.start('pieces', bytes.length);
    const piece = { offset: 0, body: bytes };
    expect((await client.command(url, 'upload, finalize', piece)).status).toBe(200);
    expect(await client.metadata('pieces')).toMatchObject({
      size: String(bytes.length),
      md5Hash: md5(bytes),
    });
    const response = await client.send(`${client.objectUrl('pieces')}?alt=media`);
    expect(md5(new Uint8Array(await response.arrayBuffer()))).toBe(md5(bytes));

    // This client requests everything and reads nothing.
    const socket = connect(port, '127.0.0.1');
    const { pathname } = new URL(client.objectUrl('pieces'));
    socket.write(
      `GET ${pathname}?alt=media HTTP/1.1\r\nHost: x\r\nAuthorization: Firebase ${client.idToken}\r\n\r\n`,
    );
    await eventually(() => expect(socket.readableLength).toBeGreaterThan(0));
    await client.send(client.objectUrl('multipart'));
    socket.destroy();
    expect((await peakMib(pid)) - before).toBeLessThan(maxGrowthMib);
  });
});
