import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { spawnBackend } from '../support/servers/backend-process.ts';
import { startBackend } from '../support/servers/start-backend.ts';
import { tempFolder } from '../support/temp-folder.ts';

describe('the command line', () => {
  it('prints one line when it is ready, and stops cleanly and quickly on SIGTERM, SIGINT and SIGHUP', async () => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      const { child, exit, output, port } = spawnBackend([
        '--port',
        '0',
        '--data',
        await tempFolder(),
      ]);
      expect((await fetch(`http://127.0.0.1:${await port}/__/health`)).status).toBe(200);
      // An open back channel must not delay the exit.
      const listen = `http://127.0.0.1:${await port}/google.firestore.v1.Firestore/Listen/channel`;
      const greeting = await (
        await fetch(`${listen}?RID=1`, { method: 'POST', body: 'count=0' })
      ).text();
      const sid = /\["c","([^"]+)"/.exec(greeting)?.[1];
      const back = await fetch(`${listen}?RID=rpc&SID=${sid}&AID=0&CI=0`);
      const started = performance.now();
      child.kill(signal);
      expect(await back.text()).toMatch(/"stop"\]\]\]$/);
      expect(await exit).toBe(0);
      // This takes a second on an idle machine; without cutting connections it would be the minute of a keep-alive.
      expect(performance.now() - started).toBeLessThan(5000);
      expect(output.stdout).toBe(`Backend is ready at http://localhost:${await port}\n`);
      expect(output.stderr).toBe('');
    }
  });

  it.each([
    [['--colour', 'red'], /^Unknown option '--colour'/],
    [['--port', 'many'], /^--port must be a number from 0 to 65535\.\n$/],
    [['--port', '65536'], /^--port must be a number from 0 to 65535\.\n$/],
    [['--static', '/no/such/folder'], /^--static: there is no folder \/no\/such\/folder\.\n$/],
    [
      ['--recent-login-seconds', 'soon'],
      /^--recent-login-seconds must be a number of seconds\.\n$/,
    ],
    [['--password-cost', '1000'], /^--password-cost must be a power of two/],
    [['--password-cost', 'high'], /^--password-cost must be a power of two/],
    [['--password-cost', '2097152'], /^--password-cost must be a power of two/],
    [['--password-cost', '1'], /^--password-cost must be a power of two/],
    [['stray'], /^Unexpected argument 'stray'/],
    [['--data'], /--data/],
  ])('%j is one sentence and exit code 2', async (args, sentence) => {
    const { exit, output } = spawnBackend(args);
    expect(await exit).toBe(2);
    expect(output.stderr).toMatch(sentence);
    expect(output.stderr.trim().split('\n').length).toBe(1);
    expect(output.stdout).toBe('');
  });

  it('a port in use is one sentence', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const address = other.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    const { exit, output } = spawnBackend(['--port', port, '--data', await tempFolder()]);
    expect(await exit).toBe(1);
    expect(output.stderr).toBe(`Port ${port} is already in use.\n`);
  });

  it('a data folder in use is one sentence', async () => {
    const dataDir = await tempFolder();
    await startBackend({ dataDir });
    const { exit, output } = spawnBackend(['--port', '0', '--data', dataDir]);
    expect(await exit).toBe(1);
    expect(output.stderr).toBe(
      `Another process is using the data folder ${join(dataDir, 'db')}.\n`,
    );
  });
});
