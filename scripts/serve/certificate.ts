import { X509Certificate, createPrivateKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';

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

/** @throws {CertificateError} */
export async function readCertificate(files: CertificateFiles): Promise<Certificate> {
  const cert = await readPem(files.certFile);
  const key = await readPem(files.keyFile);
  if (!isPair(cert, key)) {
    throw new CertificateError(
      '--tls-cert and --tls-key must be a certificate and its key, as PEM.',
    );
  }
  return { cert, key };
}

async function readPem(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    throw new CertificateError('--tls-cert and --tls-key must be files that can be read.');
  }
}

function isPair(cert: string, key: string): boolean {
  try {
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
