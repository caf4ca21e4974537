import { parseArgs } from 'node:util';
import { defaultProject } from './server.ts';

export type CommandLine = ReturnType<typeof parseCommandLine>;

/** Its message is one sentence for the person at the terminal. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

export function parseCommandLine(args: readonly string[]) {
  const flags = parseFlags(args);
  const { port, data, project, origin, backup } = flags;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new UsageError('--port must be a number from 0 to 65535.');
  }
  if (!/^[a-z][a-z0-9-]{2,29}$/.test(project)) {
    throw new UsageError('--project must be 3 to 30 lower-case letters, digits and hyphens.');
  }
  if (backup === '') throw new UsageError('--backup must name a folder.');
  if (data === '') throw new UsageError('--data must name a folder.');
  if (!/^\d{1,7}$/.test(flags['recent-login-seconds'])) {
    throw new UsageError('--recent-login-seconds must be a number of seconds.');
  }
  if (origin !== undefined && !isOrigin(origin)) {
    throw new UsageError('--origin must be an origin such as https://pawpals.example.');
  }
  return {
    port: Number(port),
    dataDir: data,
    projectId: project,
    hasGoogleChooser: flags['google-chooser'],
    recentLoginSeconds: Number(flags['recent-login-seconds']),
    backupFolder: backup,
    staticDir: flags.static,
    firestoreRules: flags['firestore-rules'],
    storageRules: flags['storage-rules'],
    firestoreIndexes: flags['firestore-indexes'],
    publicOrigin: origin,
  };
}

const isOrigin = (text: string): boolean =>
  /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;

function parseFlags(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      strict: true,
      allowPositionals: false,
      options: {
        port: { type: 'string', default: '0' },
        data: { type: 'string', default: '.pawpals' },
        project: { type: 'string', default: defaultProject },
        backup: { type: 'string' },
        static: { type: 'string' },
        'firestore-rules': { type: 'string' },
        'storage-rules': { type: 'string' },
        'firestore-indexes': { type: 'string' },
        'recent-login-seconds': { type: 'string', default: '300' },
        origin: { type: 'string' },
        'google-chooser': { type: 'boolean', default: false },
      },
    });
    return values;
  } catch (error) {
    const message = error instanceof Error ? error.message : 'The command line is wrong.';
    throw new UsageError(message.split('. ', 1)[0] ?? message);
  }
}
