import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { defaultCost } from './auth/passwords/passwords.ts';
import { backUp } from './backup.ts';
import { chooserCodeLine, newChooserCode } from './http/chooser/chooser-code.ts';
import { describeError, processLog as log } from './log.ts';
import { createBackend } from './server.ts';

// oxlint-disable-next-line no-console -- packages print errors, such as LMDB each write that fails, and they belong into the log
console.error = (thrown: unknown) => {
  // Before it prints such an error, LMDB writes the beginning of a line of its own, which ends here.
  process.stderr.write('\n');
  log.error('package failed', describeError(thrown));
};

const print = (text: string) => void process.stdout.write(`${text}\n`);

/** Exits at once: nothing can be stored any more, and a new start reads the state of the disk. */
function onBroken(): void {
  process.stderr.write('The data folder could not be written; the process ends.\n');
  process.exit(1);
}

function printChooserCode(): string {
  const code = newChooserCode();
  print(chooserCodeLine(code));
  return code;
}

/** Exit codes: 0 stopped, 1 could not start, 2 wrong command line. */
async function main(): Promise<void> {
  const flags = readFlags();
  if (flags.backup !== undefined) {
    await backUp(flags.data, flags.backup);
    return print(`The data folder was copied to ${flags.backup}.`);
  }
  const backend = await createBackend({
    port: Number(flags.port),
    dataDir: flags.data,
    staticDir: flags.static,
    firestoreRules: flags['firestore-rules'],
    storageRules: flags['storage-rules'],
    firestoreIndexes: flags['firestore-indexes'],
    recentLoginSeconds: Number(flags['recent-login-seconds']),
    passwordCost: Number(flags['password-cost']),
    ...(flags['google-chooser'] ? { chooserCode: printChooserCode() } : {}),
    log,
    printMail: print,
    onBroken,
  });
  let isStopping = false;
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    backend.stop().then(() => process.exit(0), fail);
  };
  // SIGHUP comes when the terminal is closed.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, stop);
  print(`Backend is ready at ${backend.url}`);
}

function readFlags() {
  try {
    const { values } = parseArgs({
      options: {
        port: { type: 'string', default: '0' },
        data: { type: 'string', default: '.pawpals' },
        backup: { type: 'string' },
        static: { type: 'string' },
        'firestore-rules': { type: 'string' },
        'storage-rules': { type: 'string' },
        'firestore-indexes': { type: 'string' },
        'recent-login-seconds': { type: 'string', default: '300' },
        'password-cost': { type: 'string', default: String(defaultCost) },
        'google-chooser': { type: 'boolean', default: false },
      },
    });
    if (!/^\d{1,5}$/.test(values.port) || Number(values.port) > 65_535) {
      throw new Error('--port must be a number from 0 to 65535.');
    }
    if (!/^\d{1,7}$/.test(values['recent-login-seconds'])) {
      throw new Error('--recent-login-seconds must be a number of seconds.');
    }
    const exponent = Math.log2(Number(values['password-cost']));
    if (!Number.isInteger(exponent) || exponent < 1 || exponent > 20) {
      throw new Error('--password-cost must be a power of two, from 2 to 1048576.');
    }
    if (values.data === '' || values.backup === '') {
      throw new Error('--data and --backup must name a folder.');
    }
    if (values.static !== undefined && !existsSync(values.static)) {
      throw new Error(`--static: there is no folder ${values.static}.`);
    }
    return values;
  } catch (error) {
    const [sentence = ''] = messageOf(error).split('. ', 1);
    process.stderr.write(`${sentence}\n`);
    return process.exit(2);
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function fail(error: unknown): void {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exit(1);
}

main().catch(fail);
