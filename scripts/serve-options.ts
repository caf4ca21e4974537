import { parseArgs } from 'node:util';

/** What `npm start` was asked for. Its message is for the person at the terminal. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface ServeOptions {
  readonly port: number;
  readonly dataDir: string;
  /** Reachable from other machines, hence without the demo owner whose password everybody knows. */
  readonly isPublic: boolean;
  /** A proxy in front speaks https, and says where requests come from. */
  readonly isBehindProxy: boolean;
  /** Where the app is, as owners know it: mails link there. Needed by --public only. */
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
  const certFile = flags['tls-cert'];
  const keyFile = flags['tls-key'];
  if ((certFile === undefined) !== (keyFile === undefined)) {
    throw new UsageError('--tls-cert and --tls-key go together.');
  }
  const tls = certFile !== undefined && keyFile !== undefined ? { certFile, keyFile } : null;
  if (flags.public && tls === null && !flags['behind-proxy']) {
    throw new UsageError(
      '--public needs --tls-cert and --tls-key, or --behind-proxy: without https there is no offline app.',
    );
  }
  const { origin: publicOrigin = null, 'behind-proxy': isBehindProxy } = flags;
  if (publicOrigin !== null && !isOrigin(publicOrigin)) {
    throw new UsageError('--origin must be an origin such as https://pawpals.example.');
  }
  const dataDir = env['PAWPALS_DATA'] ?? '.pawpals';
  return { port, dataDir, isPublic: flags.public, isBehindProxy, publicOrigin, tls };
}
