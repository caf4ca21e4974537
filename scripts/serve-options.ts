import { isIP } from 'node:net';
import { parseArgs } from 'node:util';
import { isNetwork } from '../backend/src/http/guards/client-address.ts';

/** What `npm start` was asked for. Its message is for the person at the terminal. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface ServeOptions {
  readonly port: number;
  readonly dataDir: string;
  /** The address of the interface to listen on. */
  readonly host: string;
  /** Nobody but this machine reaches it: only then the demo owner is there, whose password everybody knows. */
  readonly isLocal: boolean;
  /** A proxy in front speaks https, and says where requests come from. */
  readonly isBehindProxy: boolean;
  /** Addresses and networks of proxies on other machines. */
  readonly trustedProxies: readonly string[];
  /** Where the app is, as owners know it: mails link there. */
  readonly publicOrigin: string | null;
  readonly tls: { readonly certFile: string; readonly keyFile: string } | null;
}

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
    throw new UsageError(error instanceof Error ? error.message : 'The command line is wrong.');
  }
}

const isOrigin = (text: string): boolean =>
  /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;

/** @throws {UsageError} with one sentence. */
export function readServeOptions(args: readonly string[], env: NodeJS.ProcessEnv): ServeOptions {
  const flags = readFlags(args);
  const port = Number(env['PORT'] ?? '4173');
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new UsageError('PORT must be a number from 0 to 65535.');
  }
  const { origin: publicOrigin = null, 'behind-proxy': isBehindProxy } = flags;
  if (publicOrigin !== null && !isOrigin(publicOrigin)) {
    throw new UsageError('--origin must be an origin such as https://pawpals.example.');
  }
  const tls = readTlsFlags(flags);
  const host = readHost(flags);
  const isLoopback = loopback.test(host);
  if ((flags.public || !isLoopback) && tls === null && !isBehindProxy) {
    throw new UsageError(
      '--public needs --tls-cert and --tls-key, or --behind-proxy: without https there is no offline app.',
    );
  }
  const trustedProxies = readTrustedProxies(flags);
  if (isBehindProxy && publicOrigin === null) {
    throw new UsageError('--behind-proxy needs --origin, which is what owners call the proxy.');
  }
  if (isBehindProxy && !isLoopback && trustedProxies.length === 0) {
    throw new UsageError(
      '--behind-proxy with --host needs --trusted-proxy, the address of the proxy.',
    );
  }
  const isLocal = isLoopback && !isBehindProxy && publicOrigin === null;
  const dataDir = env['PAWPALS_DATA'] ?? '.pawpals';
  return { port, dataDir, host, isLocal, isBehindProxy, trustedProxies, publicOrigin, tls };
}

type Flags = ReturnType<typeof readFlags>;

const loopback = /^(?:127\.\d+\.\d+\.\d+|::1)$/;
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

function readTrustedProxies(flags: Flags): readonly string[] {
  const proxies = flags['trusted-proxy'];
  if (proxies.length > 0 && !flags['behind-proxy']) {
    throw new UsageError('--trusted-proxy goes with --behind-proxy.');
  }
  if (!proxies.every(isNetwork)) {
    throw new UsageError('--trusted-proxy must be an address or a network such as 10.0.0.0/8.');
  }
  return proxies;
}
