import { parseArgs } from 'node:util';
import { DEFAULT_PROJECT } from './server.ts';

export interface CommandLine {
  readonly port: number;
  readonly dataDir: string;
  readonly projectId: string;
  readonly staticDir?: string;
  readonly bucket?: string;
}

/** Its message is one sentence for the person at the terminal. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

export function parseCommandLine(args: readonly string[]): CommandLine {
  const { port, data, project, static: staticDir, bucket } = parseFlags(args);
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new UsageError('--port must be a number from 0 to 65535.');
  }
  if (!/^[a-z][a-z0-9-]{2,29}$/.test(project)) {
    throw new UsageError('--project must be 3 to 30 lower-case letters, digits and hyphens.');
  }
  if (data === '') throw new UsageError('--data must name a folder.');
  if (bucket !== undefined && !/^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$/.test(bucket)) {
    throw new UsageError('--bucket must be lower-case letters, digits, dots and hyphens.');
  }
  const options = { port: Number(port), dataDir: data, projectId: project };
  return {
    ...options,
    ...(staticDir === undefined ? {} : { staticDir }),
    ...(bucket === undefined ? {} : { bucket }),
  };
}

function parseFlags(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      strict: true,
      allowPositionals: false,
      options: {
        port: { type: 'string', default: '0' },
        data: { type: 'string', default: '.pawpals' },
        project: { type: 'string', default: DEFAULT_PROJECT },
        static: { type: 'string' },
        bucket: { type: 'string' },
      },
    });
    return values;
  } catch (error) {
    const message = error instanceof Error ? error.message : 'The command line is wrong.';
    throw new UsageError(message.split('. ', 1)[0] ?? message);
  }
}
