import { isIP } from 'node:net';
import { join, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { createIsIn, isThisMachine } from '../../backend/src/http/guards/client-address.ts';

/** An invalid command line of `npm start`. Its message is for the person at the terminal. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface ServeOptions {
  readonly port: number;
  /** An absolute path. */
  readonly dataDir: string;
  /** The address of the interface to listen on. */
  readonly host: string;
  /** Only this machine can reach it. Only then it has the demo owner, whose password is public. */
  readonly isLocal: boolean;
  /** A proxy in front terminates https and reports the client's address. Requests from elsewhere are refused. */
  readonly isBehindProxy: boolean;
  /** The addresses and networks of proxies on other machines. */
  readonly trustedProxies: readonly string[];
  /** The public address of the app, which mails link to. */
  readonly publicOrigin: string | null;
  /** Whether visitors may create accounts. */
  readonly takesSignUps: boolean;
  readonly tls: { readonly certFile: string; readonly keyFile: string } | null;
}

/** The context of the command line. */
export interface ServeSurroundings {
  /** The folder of the project. */
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Reads and validates the options.
 *
 * - Plain http is served only to this machine, and to proxies that were named.
 * - The demo owner and the account chooser exist only if no other machine can reach the server.
 *
 * @throws {UsageError} with one sentence.
 */
export function readServeOptions(
  args: readonly string[],
  { root, env }: ServeSurroundings,
): ServeOptions {
  const flags = readFlags(args);
  const port = readPort(env);
  const dataDir = readDataDir(root, env);
  const publicOrigin = readOrigin(flags);
  const tls = readTlsFlags(flags);
  const host = readHost(flags);
  const trustedProxies = readTrustedProxies(flags);
  const isBehindProxy = flags['behind-proxy'];
  const isLoopback = isThisMachine(host);
  if (isBehindProxy) {
    if (publicOrigin === null) throw new UsageError(sentences.proxyNeedsOrigin);
    if (!isLoopback && trustedProxies.length === 0) throw new UsageError(sentences.proxyNeedsName);
  } else {
    if (trustedProxies.length > 0) throw new UsageError(sentences.trustNeedsProxy);
    if (flags.public && isLoopback) throw new UsageError(sentences.publicIsNoLoopback);
    if (!isLoopback && tls === null) throw new UsageError(sentences.publicNeedsTls);
    if (publicOrigin !== null && tls === null) throw new UsageError(sentences.originNeedsTls);
  }
  const isLocal = isLoopback && !isBehindProxy && publicOrigin === null;
  const takesSignUps = !flags['no-sign-up'];
  const clients = { isLocal, isBehindProxy, trustedProxies, takesSignUps };
  return { port, dataDir, host, publicOrigin, tls, ...clients };
}

const sentences = {
  proxyNeedsOrigin: '--behind-proxy needs --origin, which is what owners call the proxy.',
  proxyNeedsName: '--behind-proxy with --host needs --trusted-proxy, the address of the proxy.',
  trustNeedsProxy: '--trusted-proxy goes with --behind-proxy.',
  publicIsNoLoopback: '--public lets others in, and --host is an address of this machine alone.',
  publicNeedsTls:
    'Others get in with --tls-cert and --tls-key, or --behind-proxy: without https there is no offline app.',
  originNeedsTls:
    '--origin needs --tls-cert and --tls-key, or --behind-proxy: somebody has to speak https.',
};

function readFlags(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        public: { type: 'boolean', default: false },
        'tls-cert': { type: 'string' },
        'tls-key': { type: 'string' },
        'behind-proxy': { type: 'boolean', default: false },
        'trusted-proxy': { type: 'string', multiple: true, default: [] },
        host: { type: 'string' },
        origin: { type: 'string' },
        'no-sign-up': { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    const message = error instanceof Error ? error.message : 'The command line is wrong';
    const [sentence = ''] = message.split(/\.?(?:\n|$)|\. /, 1);
    throw new UsageError(`${sentence}. README.md lists the flags.`);
  }
}

type Flags = ReturnType<typeof readFlags>;

/** Returns a variable. An empty one counts as unset, as a shell or a unit file may leave one. */
const setting = (env: NodeJS.ProcessEnv, name: string, otherwise: string): string =>
  env[name] === undefined || env[name] === '' ? otherwise : env[name];

function readPort(env: NodeJS.ProcessEnv): number {
  const text = setting(env, 'PORT', '4173');
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new UsageError('PORT must be a number from 0 to 65535.');
  }
  return Number(text);
}

/** A build empties or copies these folders, and the first two are public. */
const builtFolders = ['dist', 'public', '.cache'];

function readDataDir(root: string, env: NodeJS.ProcessEnv): string {
  const dataDir = resolve(root, setting(env, 'PAWPALS_DATA', '.pawpals'));
  if (builtFolders.some((name) => `${dataDir}${sep}`.startsWith(join(root, name) + sep))) {
    throw new UsageError(`PAWPALS_DATA must lie outside of ${builtFolders.join(', ')}.`);
  }
  return dataDir;
}

/** Returns the public origin, which must be https; only on its own machine a browser treats plain http as secure. */
function readOrigin({ origin }: Flags): string | null {
  if (origin === undefined) return null;
  const url = URL.canParse(origin) ? new URL(origin) : null;
  if (url?.origin !== origin || url.protocol !== 'https:') {
    throw new UsageError('--origin must be an origin such as https://pawpals.example.');
  }
  return origin;
}

const everyInterface = '0.0.0.0';

function readTlsFlags({ 'tls-cert': certFile, 'tls-key': keyFile }: Flags): ServeOptions['tls'] {
  if ((certFile === undefined) !== (keyFile === undefined)) {
    throw new UsageError('--tls-cert and --tls-key go together.');
  }
  return certFile !== undefined && keyFile !== undefined ? { certFile, keyFile } : null;
}

/** Returns the address to listen on. A proxy is assumed to run on this machine, unless a host is named. */
function readHost(flags: Flags): string {
  const isOpen = flags.public && !flags['behind-proxy'];
  const host = flags.host ?? (isOpen ? everyInterface : '127.0.0.1');
  if (isIP(host) === 0) {
    throw new UsageError('--host must be an address of this machine, such as 0.0.0.0 for all.');
  }
  return host;
}

/** The shortest prefix of a proxy's network: a larger network does not belong to one operator. */
const minPrefixBits = 8;

function readTrustedProxies(flags: Flags): readonly string[] {
  const proxies = flags['trusted-proxy'];
  if (!proxies.every(isNetwork)) {
    throw new UsageError(
      '--trusted-proxy must be an address or a network such as 10.0.0.0/8, and not a larger one.',
    );
  }
  return proxies;
}

function isNetwork(text: string): boolean {
  const [address = '', prefix = '128', ...more] = text.split('/');
  const isPrefix = /^\d{1,3}$/.test(prefix) && Number(prefix) >= minPrefixBits;
  if (isIP(address) === 0 || !isPrefix || more.length > 0) return false;
  try {
    // An IPv6 network can contain all IPv4 addresses.
    const isIn = createIsIn([text]);
    return !isIn('1.1.1.1') || !isIn('201.1.1.1');
  } catch {
    return false;
  }
}
