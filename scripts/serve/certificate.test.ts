import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createBackend } from '../../backend/src/server.ts';
import { CertificateError, readCertificate, watchCertificate } from './certificate.ts';

const fixture = (name: string): string =>
  fileURLToPath(new URL(`../../tests/fixtures/tls/${name}`, import.meta.url));

async function tempFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pawpals-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function copiedFiles() {
  const folder = await tempFolder();
  const files = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') };
  const place = async (name: 'localhost' | 'renewed', file: 'cert' | 'key') =>
    copyFile(fixture(`${name}-${file}.pem`), files[`${file}File`]);
  await place('localhost', 'cert');
  await place('localhost', 'key');
  return { files, place };
}

describe('a certificate', () => {
  it('is refused unless its files can be read and belong together', async () => {
    const { files, place } = await copiedFiles();
    await expect(readCertificate(files)).resolves.toHaveProperty('cert');
    await place('renewed', 'key');
    await expect(readCertificate(files)).rejects.toThrow(CertificateError);
    await expect(readCertificate(files)).rejects.toThrow('a certificate and its key');
    await writeFile(files.keyFile, 'no key');
    await expect(readCertificate(files)).rejects.toThrow('a certificate and its key');
    await writeFile(files.keyFile, '');
    await expect(readCertificate(files)).rejects.toThrow('a certificate and its key');
    await rm(files.certFile);
    await expect(readCertificate(files)).rejects.toThrow('files that can be read');
  });

  it('is refused while its chain is only half written, as in the middle of a renewal', async () => {
    const { files } = await copiedFiles();
    const [own, next] = await Promise.all(
      ['localhost', 'renewed'].map((name) => readFile(fixture(`${name}-cert.pem`), 'utf8')),
    );
    const chain = `${own}${next}`;
    await writeFile(files.certFile, chain);
    await expect(readCertificate(files)).resolves.toHaveProperty('cert', chain);
    await writeFile(files.certFile, chain.slice(0, -40));
    await expect(readCertificate(files)).rejects.toThrow(CertificateError);
  });

  it('that was renewed is read again, once both files are there', async () => {
    const { files, place } = await copiedFiles();
    const onRenewed = vi.fn<(certificate: { cert: string }) => void>();
    const onUnusable = vi.fn<(reason: string) => void>();
    const current = await readCertificate(files);
    onTestFinished(watchCertificate({ files, current, everyMs: 5, onRenewed, onUnusable }));
    await place('renewed', 'cert');
    await vi.waitFor(() => expect(onUnusable).toHaveBeenCalled());
    expect(onRenewed).not.toHaveBeenCalled();
    await place('renewed', 'key');
    await vi.waitFor(() => expect(onRenewed).toHaveBeenCalled());
    expect([onUnusable.mock.calls.length, onRenewed.mock.calls.length]).toEqual([1, 1]);
    const cert = await readFile(fixture('renewed-cert.pem'), 'utf8');
    expect(onRenewed.mock.lastCall?.[0].cert).toBe(cert);
  });

  it('that was renewed is the one that new connections see', async () => {
    const of = (name: string) =>
      readCertificate({
        certFile: fixture(`${name}-cert.pem`),
        keyFile: fixture(`${name}-key.pem`),
      });
    const dataDir = await tempFolder();
    const backend = await createBackend({ dataDir, tls: await of('localhost') });
    onTestFinished(() => backend.stop());
    const seen = () =>
      new Promise<string>((resolve, reject) => {
        const options = { host: '127.0.0.1', port: backend.port, rejectUnauthorized: false };
        const socket = connect({ ...options, servername: 'localhost' }, () => {
          resolve(socket.getPeerX509Certificate()?.toString() ?? '');
          socket.destroy();
        }).on('error', reject);
      });
    expect(await seen()).toBe((await of('localhost')).cert);
    backend.setCertificate(await of('renewed'));
    expect(await seen()).toBe((await of('renewed')).cert);
  });
});
