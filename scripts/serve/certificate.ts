import { X509Certificate, createPrivateKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';

export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** The certificate and key as PEM texts. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** Its message is one sentence. */
export class CertificateError extends Error {
  override readonly name = 'CertificateError';
}

/** @throws {CertificateError} also for a chain that a server could not use as a whole, as a file that is half written. */
export async function readCertificate(files: CertificateFiles): Promise<Certificate> {
  const certificate = { cert: await readPem(files.certFile), key: await readPem(files.keyFile) };
  if (!isUsable(certificate)) {
    throw new CertificateError(
      '--tls-cert and --tls-key must be a certificate and its key, as PEM.',
    );
  }
  return certificate;
}

async function readPem(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    throw new CertificateError('--tls-cert and --tls-key must be files that can be read.');
  }
}

function isUsable({ cert, key }: Certificate): boolean {
  try {
    // The context reads the whole chain; it accepts a missing certificate and a key of another kind.
    createSecureContext({ cert, key });
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

interface CertificateWatch {
  readonly files: CertificateFiles;
  /** The certificate in use. */
  readonly current: Certificate;
  /** The interval of reading the files; by default a minute. */
  readonly everyMs?: number;
  readonly onRenewed: (certificate: Certificate) => void;
  /** Called once if the files are invalid, as while only one of them is renewed. */
  readonly onUnusable: (reason: string) => void;
}

/** Polls the files for a renewed certificate. @returns a function that stops it. */
export function watchCertificate(watch: CertificateWatch): () => void {
  const { files, current, everyMs = 60_000, onRenewed, onUnusable } = watch;
  let seen = JSON.stringify(current);
  const look = async (): Promise<void> => {
    const found = await readCertificate(files).catch((error: unknown) =>
      error instanceof Error ? error.message : String(error),
    );
    if (JSON.stringify(found) === seen) return;
    seen = JSON.stringify(found);
    if (typeof found === 'string') onUnusable(found);
    else onRenewed(found);
  };
  const timer = setInterval(() => void look(), everyMs).unref();
  return () => clearInterval(timer);
}
