import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

it('npm run dev fails where its backend cannot start', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const address = other.address();
  const port = typeof address === 'object' ? String(address?.port) : '';
  const folder = await mkdtemp(join(tmpdir(), 'pawpals-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const child = spawn(process.execPath, ['scripts/dev.mjs'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, PAWPALS_BACKEND_PORT: port, PAWPALS_DATA: folder },
  });
  let said = '';
  child.stderr.on('data', (text: Buffer) => (said += text.toString()));
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(said).toContain(`Port ${port} is already in use.`);
});
