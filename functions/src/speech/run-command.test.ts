import { describe, expect, it } from 'vitest';
import { runCommand } from './run-command.ts';

const { signal } = new AbortController();

const copyZeros = (blockBytes: number) =>
  runCommand('dd', ['if=/dev/zero', 'of=/dev/null', `bs=${blockBytes}`, 'count=1'], signal);

describe('a command', () => {
  it('gets its arguments as they are, and its output and code are answered', async () => {
    const args = ['%s|', '$HOME', "it's", 'a b', ';exit 3', '"'];
    const printed = await runCommand('printf', args, signal);
    expect(printed).toMatchObject({ kind: 'ended', code: 0 });
    expect('output' in printed && printed.output.toString()).toBe('$HOME|it\'s|a b|;exit 3|"|');
    expect(await runCommand('false', [], signal)).toMatchObject({ kind: 'ended', code: 1 });
  });

  it('that does not exist is missing', async () => {
    expect(await runCommand('pawpals-has-no-such-command', [], signal)).toEqual({
      kind: 'missing',
    });
  });

  it('has room for a recording, and none for what would take the server’s memory', async () => {
    expect(await copyZeros(100 * 2 ** 20)).toMatchObject({ kind: 'ended', code: 0 });
    const large = await copyZeros(400 * 2 ** 20);
    // Only Linux knows such a limit.
    expect('code' in large && large.code === 0).toBe(process.platform !== 'linux');
  });
});
