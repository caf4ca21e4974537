import { createJsonLog } from '../../src/log.ts';
import type { BackendOptions } from '../../src/server.ts';
import { startBackend } from './servers/start-backend.ts';
import { storageClient } from './clients/storage-client.ts';
import { tempFolder } from './temp-folder.ts';

/** A backend with an owner and a pet, and the lines it logs. */
export async function setUpStorage(options: Partial<BackendOptions> = {}) {
  const lines: string[] = [];
  const dataDir = await tempFolder();
  const log = createJsonLog((line) => lines.push(line), Date.now);
  const backend = await startBackend({ dataDir, log, ...options });
  return { backend, dataDir, lines, client: await storageClient(backend) };
}

export const headersOf = ({ headers }: Response) => Object.fromEntries(headers);
