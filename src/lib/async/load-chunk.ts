import { nextTask } from './next-task.ts';

/**
 * - `missing`: the server has no such file; a newer version has taken its place.
 * - `timeout`: it did not come in time.
 * - `remembered`: the server has it, and the browser repeats an earlier failure. Only a reload of the page helps.
 * - `error`: anything else, most often no connection.
 */
export type ChunkFailure = 'missing' | 'timeout' | 'remembered' | 'error';

/** Code that comes with its first use did not come. */
export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError';
  readonly reason: ChunkFailure;

  constructor(chunk: string, reason: ChunkFailure, options?: ErrorOptions) {
    super(`Loading chunk ${chunk} failed`, options);
    this.reason = reason;
  }
}

/** The product's limit for a chunk. */
export const chunkTimeoutMs = 120_000;
/** The reason is asked for after the failure; whoever waits is told soon. */
const probeTimeoutMs = 5_000;

/** How Chromium, Firefox and Safari say that a module did not come. Whatever else is thrown, the module itself has thrown. */
const failedToCome = /dynamically imported module|importing a module script/i;

const reasonByStatus: Readonly<Record<number, ChunkFailure>> = { 404: 'missing', 504: 'timeout' };

const listeners = new Set<(error: ChunkLoadError) => void>();

let latest: ChunkLoadError | null = null;

/** @param onFailure a chunk did not come, now or before. @returns a function that stops listening. */
export function watchChunkFailures(onFailure: (error: ChunkLoadError) => void): () => void {
  listeners.add(onFailure);
  if (latest !== null) onFailure(latest);
  return () => listeners.delete(onFailure);
}

function told(error: ChunkLoadError): ChunkLoadError {
  latest = error;
  for (const listener of listeners) listener(error);
  return error;
}

/** Chromium and Firefox say which file it was. */
function addressIn(message: string): string | undefined {
  return /https?:\S+\.js/.exec(message)?.[0];
}

function nameIn(address: string | undefined): string | undefined {
  return /([^/]+)-[\w-]{8}\.js$/.exec(address ?? '')?.[1];
}

/**
 * A browser does not say why. The worker and the server do, if they are asked for the same file.
 * @returns null if it is there.
 */
async function reasonOf(address: string | undefined): Promise<ChunkFailure | null> {
  if (address === undefined) return 'error';
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), probeTimeoutMs);
  try {
    const answer = await fetch(address, { signal: patience.signal, cache: 'no-store' });
    return answer.ok ? null : (reasonByStatus[answer.status] ?? 'error');
  } catch {
    return 'error';
  } finally {
    clearTimeout(timer);
  }
}

function isFailedToCome(error: unknown): error is Error {
  return error instanceof Error && failedToCome.test(error.message);
}

/**
 * Imports once more what the server has by now.
 *
 * Chromium up to 150 remembers for the life of the page that a module did not come. Another address for the same file, with
 * a query, would evaluate it a second time beside the copy that other chunks import, and their state would fall apart; and
 * it would not reach what the file imports itself. So there the page has to be reloaded.
 */
async function importAgain<Module>(importer: () => Promise<Module>): Promise<Module | null> {
  try {
    return await importInTime(importer);
  } catch (error) {
    if (isFailedToCome(error)) return null;
    throw error;
  }
}

async function importInTime<Module>(importer: () => Promise<Module>): Promise<Module | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, chunkTimeoutMs, null);
  });
  try {
    return await Promise.race([importer(), limit]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Code that comes with its first use. The build puts every `import()` of the page through here. What is done with the code
 * is a task of its own: running it for the first time has taken long enough on a slow phone.
 * @param chunk its name without its hash, where the browser does not tell it.
 * @throws {ChunkLoadError} if it did not come; and what the module throws by itself.
 */
export async function loadChunk<Module>(
  chunk: string,
  importer: () => Promise<Module>,
): Promise<Module> {
  let found: Module | null;
  try {
    found = await importInTime(importer);
  } catch (error) {
    if (!isFailedToCome(error)) throw error;
    const address = addressIn(error.message);
    const reason = await reasonOf(address);
    found = reason === null ? await importAgain(importer) : null;
    if (found === null) {
      const name = nameIn(address) ?? chunk;
      throw told(new ChunkLoadError(name, reason ?? 'remembered', { cause: error }));
    }
  }
  if (found === null) throw told(new ChunkLoadError(chunk, 'timeout'));
  await nextTask();
  return found;
}
