import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../tests/support/temp-folder.ts';
import { loadSigningKey } from './signing-key.ts';

describe('the signing key', () => {
  it('is made once, for its owner only, and read back the same', async () => {
    const folder = await tempFolder();
    const file = join(folder, 'signing-key.pem');
    const made = await loadSigningKey(file);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['signing-key.pem']);
    const read = await loadSigningKey(file);
    expect(read.privateKey.equals(made.privateKey)).toBe(true);
    expect(made.publicKey.type).toBe('public');
  });

  it('that cannot be read is an error, never a reason for a new one', async () => {
    const folder = await tempFolder();
    await expect(loadSigningKey(folder)).rejects.toMatchObject({ code: 'EISDIR' });
  });
});
