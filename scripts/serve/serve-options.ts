import { isIP } from 'node:net';
import { join, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { createIsIn, isThisMachine } from '../../backend/src/http/guards/client-address.ts';

/** What `npm start` was asked for. Its message is for the person at the terminal. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface ServeOptions {
  readonly port: number;
  /** An absolute path. */
  readonly dataDir: string;
  /** The address of the interface to listen on. */
  readonly host: string;
  /** Nobody but this machine reaches it: only then the demo owner is there, whose password everybody knows. */
  readonly isLocal: boolean;
  /** A proxy in front speaks https, and says where requests come from. Nobody else gets in. */
  readonly isBehindProxy: boolean;
  /** Addresses and networks of proxies on other machines. */
  readonly trustedProxies: readonly string[];
  /** Where the app is, as owners know it: mails link there. */
  readonly publicOrigin: string | null;
  readonly tls: { readonly certFile: string; readonly keyFile: string } | null;
}

/** What surrounds the command line. */
export interface ServeSurroundings {
  /** The folder of the project. */
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * - Plain http is spoken on this machine, and to proxies that were named.
 * - The demo owner and the account chooser are there only where nobody else gets.
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
  return { port, dataDir, host, isLocal, isBehindProxy, trustedProxies, publicOrigin, tls };
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
      },
    }).values;
  } catch (error) {
    const message = error instanceof Error ? error.message : 'The command line is wrong';
    const [sentence = ''] = message.split(/\.?(?:\n|$)|\. /, 1);
    throw new UsageError(`${sentence}.`);
  }
}

type Flags = ReturnType<typeof readFlags>;

/** An empty variable counts as none, as a shell or a unit file may leave one. */
const setting = (env: NodeJS.ProcessEnv, name: string, otherwise: string): string =>
  env[name] === undefined || env[name] === '' ? otherwise : env[name];

function readPort(env: NodeJS.ProcessEnv): number {
  const text = setting(env, 'PORT', '4173');
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new UsageError('PORT must be a number from 0 to 65535.');
  }
  return Number(text);
}

/** A build empties or copies these, and everybody may read what is in the first two. */
const builtFolders = ['dist', 'public', '.cache'];

function readDataDir(root: string, env: NodeJS.ProcessEnv): string {
  const dataDir = resolve(root, setting(env, 'PAWPALS_DATA', '.pawpals'));
  if (builtFolders.some((name) => `${dataDir}${sep}`.startsWith(join(root, name) + sep))) {
    throw new UsageError(`PAWPALS_DATA must lie outside of ${builtFolders.join(', ')}.`);
  }
  return dataDir;
}

/** Owners reach the app by https; a browser takes plain http of its own machine for as good. */
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

/** A proxy is taken to run on this machine, unless an interface is named. */
function readHost(flags: Flags): string {
  const isOpen = flags.public && !flags['behind-proxy'];
  const host = flags.host ?? (isOpen ? everyInterface : '127.0.0.1');
  if (isIP(host) === 0) {
    throw new UsageError('--host must be an address of this machine, such as 0.0.0.0 for all.');
  }
  return host;
}

/** A network of more addresses than this many bits leave open is nobody's own. */
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
    // An IPv6 network can hold the addresses of IPv4 as well.
    const isIn = createIsIn([text]);
    return !isIn('1.1.1.1') || !isIn('201.1.1.1');
  } catch {
    return false;
  }
}
