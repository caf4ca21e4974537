import { spawn, spawnSync } from 'node:child_process';
import { writeSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { root } from './install.mjs';

/** @typedef {{ name: string, command: string, args: readonly string[], env?: object }} Command */
/** @typedef {{ name: string, code: number, seconds: number }} Outcome */

const script = fileURLToPath(import.meta.url);
const shell = process.platform === 'win32';

/**
 * Runs as many commands concurrently as the machine has processors, and shows the output of each when it has ended.
 * @param {readonly Command[]} commands
 * @returns {Outcome[]} in the order of the commands; a command that could not be started has failed.
 */
export function runSideBySide(commands) {
  // The steps of a run are synchronous, so a separate process starts the commands and answers on a pipe.
  const { output } = spawnSync(process.execPath, [script, JSON.stringify(commands)], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  });
  const lines = String(output?.[3] ?? '').split('\n');
  const outcomes = lines.filter((line) => line !== '').map((line) => JSON.parse(line));
  return commands.map(
    ({ name }) =>
      outcomes.find((outcome) => outcome.name === name) ?? { name, code: 1, seconds: 0 },
  );
}

/** @param {Command} command @returns {Promise<Outcome & { text: string }>} */
function start({ name, command, args, env }) {
  const startedMs = performance.now();
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    shell,
  });
  const chunks = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => chunks.push(data));
  return new Promise((resolve) => {
    const end = (code, error = '') => {
      const seconds = (performance.now() - startedMs) / 1000;
      resolve({ name, code, seconds, text: Buffer.concat(chunks).toString() + error });
    };
    child.on('error', ({ message }) => end(1, `${command} could not be started: ${message}\n`));
    child.on('close', (code) => end(code ?? 1));
  });
}

async function main() {
  const waiting = JSON.parse(process.argv[2] ?? '[]');
  const work = async () => {
    for (let command = waiting.shift(); command !== undefined; command = waiting.shift()) {
      const { text, ...outcome } = await start(command);
      process.stdout.write(`\n— ${outcome.name}\n${text}`);
      writeSync(3, `${JSON.stringify(outcome)}\n`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
}

if (process.argv[1] === script) await main();
