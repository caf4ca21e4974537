import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { deployedFlags } from '../built-app/deployed-files.ts';

/**
 * The embedded backend as built for `npm start`, in its own process, with the built app, its own data folder and a free
 * port that it keeps over restarts.
 */
export interface BackendProcess {
  readonly url: string;
  /** Returns the code that the Google account chooser asks a browser for. */
  chooserCode(): string;
  /** Kills the process with SIGKILL, like a power cut. Resolves when the process is gone. */
  kill(): Promise<void>;
  /** Starts it again on the same port and data. @param flags additional command line flags. */
  restart(flags?: readonly string[]): Promise<void>;
  /** Returns the mails that it has sent to that address, oldest first. */
  mailsTo(email: string): Promise<string[]>;
  /** Ends it and removes its data. */
  dispose(): Promise<void>;
}

const root = new URL('../../..', import.meta.url);

interface Started {
  readonly child: ChildProcess;
  readonly port: number;
  readonly chooserCode: string;
}

interface StartOptions {
  readonly port: number;
  readonly dataDir: string;
  readonly flags?: readonly string[];
  /** The engine that transcribes voice notes. If it is set, the process serves all that `npm start` serves. */
  readonly speechEngine?: string;
  /** The folder of the built app; `dist` if absent. */
  readonly app?: string;
}

/** Passwords are hashed quickly: at the cost of a release, the sign-ups take a fiftieth of all processor time. */
const testFlags = ['--google-chooser', '--password-cost', '1024'];

function commandOf({ port, dataDir, flags = [], speechEngine, app = 'dist' }: StartOptions) {
  if (speechEngine === undefined) {
    const args = ['.cache/server/backend.js', '--port', String(port), '--data', dataDir];
    return {
      args: [...args, ...deployedFlags, '--static', app, ...testFlags, ...flags],
      env: process.env,
    };
  }
  const own = { PORT: String(port), PAWPALS_DATA: dataDir, PAWPALS_SPEECH_ENGINE: speechEngine };
  return { args: ['scripts/serve/serve-built.mjs', ...flags], env: { ...process.env, ...own } };
}

async function startOn(options: StartOptions): Promise<Started> {
  const { args, env } = commandOf(options);
  const child = spawn(process.execPath, args, {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const problems: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => problems.push(chunk.toString()));
  let chooserCode = '';
  for await (const line of createInterface({ input: child.stdout })) {
    chooserCode = /this code once: (\w+)$/.exec(line)?.[1] ?? chooserCode;
    const ready = /ready at http:\/\/localhost:(\d+)/.exec(line);
    if (ready) {
      child.stdout.resume();
      return { child, chooserCode, port: Number(ready[1]) };
    }
  }
  throw new Error(`The backend did not start: ${problems.join('')}`);
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}

/**
 * Reads the mails in the order of their names, which are times. A mail that is still being written has another
 * extension.
 */
async function readMails(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return Promise.all(
    names
      .filter((name) => name.endsWith('.eml'))
      .toSorted((one, other) => one.localeCompare(other))
      .map((name) => readFile(join(folder, name), 'utf8')),
  );
}

export async function startBackendProcess(
  own: Pick<StartOptions, 'speechEngine' | 'app'> = {},
): Promise<BackendProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'pawpals-'));
  let current = await startOn({ ...own, port: 0, dataDir });
  const { port } = current;
  return {
    url: `http://localhost:${port}`,
    chooserCode: () => current.chooserCode,
    kill: () => end(current.child, 'SIGKILL'),
    restart: async (flags = []) => {
      current = await startOn({ ...own, port, dataDir, flags });
    },
    mailsTo: async (email) => {
      const mails = await readMails(join(dataDir, 'mail'));
      return mails.filter((mail) => mail.includes(`\r\nTo: <${email}>\r\n`));
    },
    dispose: async () => {
      await end(current.child, 'SIGTERM');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
