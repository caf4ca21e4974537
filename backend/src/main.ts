import { stat } from 'node:fs/promises';
import { UsageError, parseCommandLine, type CommandLine } from './command-line.ts';
import { backUp } from './backup.ts';
import { IndexFileError } from './firestore-indexes/index-file.ts';
import { chooserCodeLine, newChooserCode } from './http/chooser/chooser-code.ts';
import { PortInUseError } from './http/http-server.ts';
import { describeError, processLog as log } from './log.ts';
import { RulesError } from './rules/rules-error.ts';
import { createBackend } from './server.ts';
import { StoreError } from './store/key-value-store.ts';

// oxlint-disable-next-line no-console -- packages print errors, such as LMDB each write that fails, and they belong into the log
console.error = (thrown: unknown) => {
  // Before it prints such an error, LMDB writes the beginning of a line of its own, which ends here.
  process.stderr.write('\n');
  log.error('package failed', describeError(thrown));
};

const printMail = (text: string) => void process.stdout.write(`${text}\n`);

/** Exits at once: nothing can be stored any more, and a new start reads the state of the disk. */
function onBroken(): void {
  process.stderr.write('The data folder could not be written; the process ends.\n');
  process.exit(1);
}

function printChooserCode(): string {
  const code = newChooserCode();
  process.stdout.write(`${chooserCodeLine(code)}\n`);
  return code;
}

/** Exit codes: 0 stopped, 1 could not start, 2 wrong command line. */
async function main(): Promise<void> {
  const commandLine = parseCommandLine(process.argv.slice(2));
  const { backupFolder, dataDir } = commandLine;
  if (backupFolder !== undefined) {
    await backUp(dataDir, backupFolder);
    process.stdout.write(`The data folder was copied to ${backupFolder}.\n`);
    return;
  }
  await checkFolder(commandLine);
  await checkFile('--firestore-rules', commandLine.firestoreRules);
  await checkFile('--storage-rules', commandLine.storageRules);
  const backend = await createBackend({
    ...commandLine,
    ...(commandLine.hasGoogleChooser ? { chooserCode: printChooserCode() } : {}),
    log,
    printMail,
    onBroken,
  });
  let isStopping = false;
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    backend.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error('stop failed', describeError(error));
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.stdout.write(`Backend is ready at ${backend.url}\n`);
}

async function checkFile(flag: string, file: string | undefined): Promise<void> {
  if (file === undefined) return;
  const stats = await stat(file).catch(() => undefined);
  if (stats?.isFile() !== true) throw new UsageError(`${flag}: there is no file ${file}.`);
}

async function checkFolder({ staticDir }: CommandLine): Promise<void> {
  if (staticDir === undefined) return;
  const stats = await stat(staticDir).catch(() => undefined);
  if (stats?.isDirectory() !== true) {
    throw new UsageError(`--static: there is no folder ${staticDir}.`);
  }
}

function fail(error: unknown): void {
  if (
    error instanceof UsageError ||
    error instanceof PortInUseError ||
    error instanceof RulesError ||
    error instanceof StoreError ||
    error instanceof IndexFileError
  ) {
    process.stderr.write(`${error.message}\n`);
  } else {
    log.error('backend failed', describeError(error));
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`The backend could not start: ${message}\n`);
  }
  process.exit(error instanceof UsageError ? 2 : 1);
}

main().catch(fail);
