import { describe, expect, it } from 'vitest';
import { readServeOptions, UsageError, type ServeOptions } from './serve-options.ts';

const root = '/pawpals';
const read = (args: readonly string[], env: NodeJS.ProcessEnv = {}): ServeOptions =>
  readServeOptions(args, { root, env });

/** Returns the message of a refusal, or null. */
function refusalOf(args: readonly string[], env: NodeJS.ProcessEnv = {}): string | null {
  try {
    read(args, env);
    return null;
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

const proxied = ['--behind-proxy', '--origin', 'https://pawpals.example'];

describe('the options of npm start', () => {
  it('are those of one machine, unless told otherwise', () => {
    const ofOneMachine = {
      port: 4173,
      dataDir: '/pawpals/.pawpals',
      host: '127.0.0.1',
      isLocal: true,
      isBehindProxy: false,
      trustedProxies: [],
      publicOrigin: null,
      takesSignUps: true,
      tls: null,
    };
    expect(read([])).toEqual(ofOneMachine);
    expect(read([], { PORT: '', PAWPALS_DATA: '' })).toEqual(ofOneMachine);
    const moved = { PORT: '0', PAWPALS_DATA: '/data' };
    expect(read([], moved)).toEqual({ ...ofOneMachine, port: 0, dataDir: '/data' });
    expect(read(['--no-sign-up'])).toEqual({ ...ofOneMachine, takesSignUps: false });
  });

  it.each([
    [['--public', '--tls-cert', 'a.pem'], {}, '--tls-cert and --tls-key go together.'],
    [['--public', '--tls-key', 'a.pem'], {}, '--tls-cert and --tls-key go together.'],
    [['--host', 'pawpals.example'], {}, '--host must be an address'],
    [['--host', ''], {}, '--host must be an address'],
    [['--host', '--public'], {}, "Option '--host' argument is ambiguous."],
    [[...proxied, '--trusted-proxy', 'proxy.lan'], {}, '--trusted-proxy must be'],
    [[...proxied, '--trusted-proxy', '10.0.0.0/33'], {}, '--trusted-proxy must be'],
    [[...proxied, '--trusted-proxy', '10.0.0.0/'], {}, '--trusted-proxy must be'],
    [[...proxied, '--trusted-proxy', '10.0.0.0/8/9'], {}, '--trusted-proxy must be'],
    [[...proxied, '--trusted-proxy', '0.0.0.0/0'], {}, '--trusted-proxy must be'],
    [[...proxied, '--trusted-proxy', '::/0'], {}, '--trusted-proxy must be'],
    [[...proxied, '--trusted-proxy', '::ffff:0:0/96'], {}, '--trusted-proxy must be'],
    [['--pubilc'], {}, "Unknown option '--pubilc'. README.md lists the flags."],
    [['public'], {}, "Unexpected argument 'public'."],
    [['--origin', 'pawpals.example'], {}, '--origin must be'],
    [['--origin', ''], {}, '--origin must be'],
    [['--origin', 'http://pawpals.example'], {}, '--origin must be'],
    [['--origin', 'https://pawpals.example/app'], {}, '--origin must be'],
    [[], { PORT: 'web' }, 'PORT must be'],
    [[], { PORT: '70000' }, 'PORT must be'],
    [[], { PORT: '-1' }, 'PORT must be'],
    [[], { PAWPALS_DATA: 'dist' }, 'PAWPALS_DATA must lie outside'],
    [[], { PAWPALS_DATA: '/pawpals/dist/data' }, 'PAWPALS_DATA must lie outside'],
    [[], { PAWPALS_DATA: './public/../public/data' }, 'PAWPALS_DATA must lie outside'],
    [[], { PAWPALS_DATA: '.cache/data' }, 'PAWPALS_DATA must lie outside'],
  ])('%j with %j are refused with a sentence', (args, env, sentence) => {
    expect(refusalOf(args, env)).toContain(sentence);
    expect(refusalOf(args, env)).toMatch(/^[^\n]+\.$/);
  });
});

/**
 * Each line stands for some combinations of the flags: a letter or a star for each flag, and the outcome. `-` is an
 * absent flag, `y` a given one; `L` is a loopback host, `O` a host that other machines reach. The outcome is the
 * beginning of the message of a refusal, or the listening address, its protocol and its clients. Every combination has
 * exactly one line.
 */
const table = `
public proxy host origin trusted tls
  *      -    *     *       y     *   refused: --trusted-proxy goes with --behind-proxy.
  *      y    *     -       *     *   refused: --behind-proxy needs --origin
  *      y    O     y       -     *   refused: --behind-proxy with --host needs --trusted-proxy
  y      -    L     *       -     *   refused: --public lets others in, and --host is
  y      -    -     *       -     -   refused: Others get in with --tls-cert and --tls-key
  *      -    O     *       -     -   refused: Others get in with --tls-cert and --tls-key
  -      -    -     y       -     -   refused: --origin needs --tls-cert and --tls-key
  -      -    L     y       -     -   refused: --origin needs --tls-cert and --tls-key
  -      -    -     -       -     -   127.0.0.1 http this machine, with the demo owner and the chooser
  -      -    L     -       -     -   127.0.0.2 http this machine, with the demo owner and the chooser
  -      -    -     -       -     y   127.0.0.1 https this machine, with the demo owner and the chooser
  -      -    L     -       -     y   127.0.0.2 https this machine, with the demo owner and the chooser
  -      -    -     y       -     y   127.0.0.1 https this machine
  -      -    L     y       -     y   127.0.0.2 https this machine
  y      -    -     *       -     y   0.0.0.0 https everybody
  *      -    O     *       -     y   192.0.2.7 https everybody
  *      y    -     y       *     -   127.0.0.1 http this machine
  *      y    L     y       *     -   127.0.0.2 http this machine
  *      y    -     y       *     y   127.0.0.1 https this machine
  *      y    L     y       *     y   127.0.0.2 https this machine
  *      y    O     y       y     -   192.0.2.7 http the proxy
  *      y    O     y       y     y   192.0.2.7 https the proxy
`;

const columns = ['public', 'proxy', 'host', 'origin', 'trusted', 'tls'] as const;

const lines = table
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.trim().split(/\s+/))
  .map((words) => ({
    letters: words.slice(0, columns.length),
    outcome: words.slice(columns.length).join(' '),
  }));

const flagsOf: Readonly<Record<(typeof columns)[number], Readonly<Record<string, string[]>>>> = {
  public: { '-': [], y: ['--public'] },
  proxy: { '-': [], y: ['--behind-proxy'] },
  host: { '-': [], L: ['--host', '127.0.0.2'], O: ['--host', '192.0.2.7'] },
  origin: { '-': [], y: ['--origin', 'https://pawpals.example'] },
  trusted: { '-': [], y: ['--trusted-proxy', '10.0.0.1', '--trusted-proxy', 'fd00::/8'] },
  tls: { '-': [], y: ['--tls-cert', 'a.pem', '--tls-key', 'b.pem'] },
};

/** All combinations, as a letter for each flag. */
const combinations = columns.reduce<readonly (readonly string[])[]>(
  (found, column) =>
    found.flatMap((letters) => Object.keys(flagsOf[column]).map((letter) => [...letters, letter])),
  [[]],
);

const argsOf = (letters: readonly string[]): string[] =>
  columns.flatMap((column, at) => flagsOf[column][letters[at] ?? ''] ?? []);

function describeOptions(options: ServeOptions): string {
  const { host, tls, isLocal, isBehindProxy, trustedProxies } = options;
  const isLoopback = host.startsWith('127.');
  const others = isBehindProxy && trustedProxies.length > 0 ? 'the proxy' : 'everybody';
  return [
    `${host} ${tls === null ? 'http' : 'https'} ${isLoopback ? 'this machine' : others}`,
    ...(isLocal ? ['with the demo owner and the chooser'] : []),
  ].join(', ');
}

const linesOf = (letters: readonly string[]) =>
  lines.filter((line) =>
    line.letters.every((letter, at) => letter === '*' || letter === letters[at]),
  );

describe('each combination of flags', () => {
  it('has exactly one line of the table, and every line has one', () => {
    const found = combinations.map((letters) => [letters, linesOf(letters).length]);
    expect(found).toEqual(combinations.map((letters) => [letters, 1]));
    expect(new Set(combinations.flatMap(linesOf)).size).toBe(lines.length);
    expect(combinations.length).toBe(96);
  });

  it.each(
    combinations.map((letters) => [argsOf(letters).join(' ') || 'no flag', letters] as const),
  )('%s comes to what the table says', (_flags, letters) => {
    const expected = linesOf(letters)[0]?.outcome ?? 'no line';
    const args = argsOf(letters);
    const refusal = refusalOf(args);
    const outcome = refusal === null ? describeOptions(read(args)) : `refused: ${refusal}`;
    expect(outcome.slice(0, expected.length)).toBe(expected);
  });

  it('never speaks plain http to others, nor shows them the demo owner', () => {
    for (const letters of combinations) {
      if (refusalOf(argsOf(letters)) !== null) continue;
      const options = read(argsOf(letters));
      const { host, tls, isLocal, isBehindProxy, trustedProxies, publicOrigin } = options;
      const isLoopback = host.startsWith('127.');
      const isForProxyOnly = isBehindProxy && trustedProxies.length > 0;
      expect([letters, isLoopback || tls !== null || isForProxyOnly]).toEqual([letters, true]);
      const isAlone = isLoopback && !isBehindProxy && publicOrigin === null;
      expect([letters, isLocal]).toEqual([letters, isAlone]);
    }
  });
});
