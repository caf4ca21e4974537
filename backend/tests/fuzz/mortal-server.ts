import { setTimeout as wait } from 'node:timers/promises';
import { isJsonObject } from '../../src/json.ts';
import { spawnOpenBackend } from '../support/servers/backend-process.ts';
import { setWrite, deleteWrite, int } from '../support/firestore-json.ts';
import { rawClient } from '../support/clients/raw-client.ts';

export interface MortalServer {
  /** Returns the port; null while no server runs. */
  readonly port: () => number | null;
  /** Kills the process as a crash does and starts another one on the same folder after the outage. */
  kill(outageMs: number): void;
  /** Resolves when a server runs. */
  recovered(): Promise<void>;
  /** Writes a document for another user, if a server runs; null deletes it. */
  commit(id: string, n: number | null): Promise<void>;
}

/** Starts a server in its own process, which can be killed and restarts on another port. */
export async function startMortalServer(folder: string, staticDir: string): Promise<MortalServer> {
  const start = async () => {
    const server = spawnOpenBackend(folder, staticDir);
    return { ...server, port: await server.port };
  };
  let running = await start();
  let isUp = true;
  let restart: Promise<void> | null = null;
  const { idToken } = await rawClient(running).signUp();

  const replace = async (outageMs: number) => {
    isUp = false;
    running.child.kill('SIGKILL');
    await running.exit;
    await wait(outageMs);
    running = await start();
    isUp = true;
    restart = null;
  };

  return {
    port: () => (isUp ? running.port : null),
    kill(outageMs) {
      restart ??= replace(outageMs);
    },
    recovered: () => restart ?? Promise.resolve(),
    async commit(id, n) {
      const write = n === null ? deleteWrite(`fuzz/${id}`) : setWrite(`fuzz/${id}`, { n: int(n) });
      if (!isUp) return;
      // The server may die meanwhile; the end of the test shows whether the write took effect.
      const request = rawClient(running).firestore('commit', { writes: [write] }, idToken);
      const answer = await request.catch(() => ({ body: {} }));
      if (isJsonObject(answer.body) && 'error' in answer.body) {
        throw new Error(JSON.stringify(answer.body));
      }
    },
  };
}
