import { nextTask } from './next-task.ts';

/**
 * The reasons why a chunk did not load.
 * - `missing`: the server has no such file, because a newer version has replaced it.
 * - `timeout`: it did not arrive in time.
 * - `remembered`: the server has it, and the browser repeats an earlier failure. Only a reload of the page helps.
 * - `error`: anything else, most often no connection.
 */
export type ChunkFailure = 'missing' | 'timeout' | 'remembered' | 'error';

/** The error of a chunk that could not be loaded. */
export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError';
  readonly reason: ChunkFailure;

  constructor(chunk: string, reason: ChunkFailure, options?: ErrorOptions) {
    super(`Loading chunk ${chunk} failed`, options);
    this.reason = reason;
  }

  /** Whether only a reload of the page helps. */
  get needsReload(): boolean {
    return this.reason === 'missing' || this.reason === 'remembered';
  }
}

/** The product's limit for loading a chunk. */
export const chunkTimeoutMs = 120_000;
/** The limit for finding the reason after a failure, while the caller waits. */
const probeTimeoutMs = 5_000;

/**
 * The messages of Chromium, Firefox and Safari for a module that did not load. Any other error comes from the module
 * itself.
 */
const failedToCome = /dynamically imported module|importing a module script/i;

const reasonByStatus: Readonly<Record<number, ChunkFailure>> = { 404: 'missing', 504: 'timeout' };

const listeners = new Set<(error: ChunkLoadError) => void>();

let latest: ChunkLoadError | null = null;

/**
 * Calls `onFailure` for each chunk that does not load, and for the latest earlier one. @returns a function that stops
 * it.
 */
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

/** Returns the address of the file, which Chromium and Firefox name in the message. */
function addressIn(message: string): string | undefined {
  return /https?:\S+\.js/.exec(message)?.[0];
}

function nameIn(address: string | undefined): string | undefined {
  return /([^/]+)-[\w-]{8}\.js$/.exec(address ?? '')?.[1];
}

/**
 * Finds the reason of a failure. The browser does not tell it, so the same file is requested from the worker and the
 * server.
 * @returns null if the file is available.
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

const looks = new Map<string | undefined, ReturnType<typeof reasonOf>>();

/** Returns the same as {@link reasonOf}, once for all parts of the page that wait for one file. */
function commonReasonOf(address: string | undefined): ReturnType<typeof reasonOf> {
  const look = looks.get(address) ?? reasonOf(address).finally(() => looks.delete(address));
  looks.set(address, look);
  return look;
}

function isFailedToCome(error: unknown): error is Error {
  return error instanceof Error && failedToCome.test(error.message);
}

/**
 * Retries an import whose file the server has by now.
 *
 * Chromium up to 150 remembers for the life of the page that a module did not load. The same file under another
 * address, with a query, would be evaluated a second time beside the copy that other chunks import, with a state of its
 * own; and the query would not apply to the imports of the file. So in Chromium the page has to be reloaded.
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
 * Loads code on its first use. The build routes every `import()` of the page through this function. The caller
 * continues in a new task, because evaluating the code takes long enough on a slow phone.
 * @param chunk its name without the hash, for browsers whose message has no address.
 * @throws {ChunkLoadError} if the chunk does not load; errors of the module itself pass through.
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
    const reason = await commonReasonOf(address);
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
