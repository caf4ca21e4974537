import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { resolve } from 'node:path';
import { createBackend, type BackendOptions } from '../backend/src/server.ts';
import { demoOwner, seedDemoOwner } from './demo-owner.ts';

/** What `npm start` was asked for. Its message is for the person at the terminal. */
class UsageError extends Error {
  override readonly name = 'UsageError';
}

interface ServeOptions {
  readonly port: number;
  readonly dataDir: string;
  /** Reachable from other machines, hence without the demo owner whose password everybody knows. */
  readonly isPublic: boolean;
  readonly tls: { readonly certFile: string; readonly keyFile: string } | null;
}

const root = fileURLToPath(new URL('..', import.meta.url));

function readFlags(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        public: { type: 'boolean', default: false },
        'tls-cert': { type: 'string' },
        'tls-key': { type: 'string' },
        'behind-proxy': { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'The command line is wrong.');
  }
}

function readOptions(args: readonly string[], env: NodeJS.ProcessEnv): ServeOptions {
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
  const dataDir = resolve(root, env['PAWPALS_DATA'] ?? '.pawpals');
  return { port, dataDir, isPublic: flags.public, tls };
}

function stopOnSignals(stop: () => Promise<void>): void {
  let isStopping = false;
  const end = (): void => {
    if (isStopping) return;
    isStopping = true;
    stop().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}

function fail(error: unknown): never {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(error instanceof UsageError ? 2 : 1);
}

/** Serves the built app and its backend on one origin until a signal ends it. */
export async function serve(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  try {
    const { port, dataDir, isPublic, tls } = readOptions(args, env);
    let isSeeded = false;
    const options: BackendOptions = { port, dataDir, staticDir: resolve(root, 'dist') };
    const backend = await createBackend({
      ...options,
      ...(isPublic ? { isPublic, tls } : {}),
      ...(isPublic
        ? {}
        : {
            seed: async (target) => {
              await seedDemoOwner(target);
              isSeeded = true;
            },
          }),
    });
    stopOnSignals(() => backend.stop());
    if (isSeeded) {
      console.log(
        `A demo owner is ready: sign in as ${demoOwner.email} with ${demoOwner.password}`,
      );
    }
    console.log(`PawPals is ready at ${backend.url}`);
  } catch (error) {
    fail(error);
  }
}
