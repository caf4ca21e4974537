import { readFile } from 'node:fs/promises';

const folder = new URL('../../../../tests/fixtures/tls/', import.meta.url);
const read = (name: string) => readFile(new URL(name, folder), 'utf8');

/** A certificate for `localhost` that nobody but the tests trusts. */
export async function testTls(): Promise<{ cert: string; key: string }> {
  const [cert, key] = await Promise.all([read('localhost-cert.pem'), read('localhost-key.pem')]);
  return { cert, key };
}
