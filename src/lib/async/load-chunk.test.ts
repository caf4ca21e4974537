import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  ChunkLoadError,
  chunkTimeoutMs,
  loadChunk,
  watchChunkFailures,
  type ChunkFailure,
} from './load-chunk.ts';

const address = 'http://localhost/static/js/side-menu-AbCd1234.js';

function failing(message = `Failed to fetch dynamically imported module: ${address}`) {
  return () => Promise.reject(new TypeError(message));
}

async function failureOf(loading: Promise<unknown>): Promise<ChunkLoadError> {
  const error = await loading.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ChunkLoadError)) throw new Error('no ChunkLoadError', { cause: error });
  return error;
}

const ask = vi.fn<typeof fetch>();

beforeEach(() => {
  vi.stubGlobal('fetch', ask);
});

afterEach(() => {
  ask.mockReset();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('loading a chunk', () => {
  it('gives the module', async () => {
    expect(await loadChunk('side-menu', async () => ({ answer: 42 }))).toEqual({ answer: 42 });
    expect(ask).not.toHaveBeenCalled();
  });

  it('looks once for the reason of one file that several parts need', async () => {
    ask.mockImplementation(async () => new Response(null, { status: 503 }));
    const failures = ['one', 'other'].map((chunk) => failureOf(loadChunk(chunk, failing())));
    expect(await Promise.all(failures)).toHaveLength(2);
    expect(ask).toHaveBeenCalledOnce();
  });

  it.each<[string, () => Promise<Response>, ChunkFailure]>([
    ['404', async () => new Response(null, { status: 404 }), 'missing'],
    [
      '504, the worker’s word for a time-out',
      async () => new Response(null, { status: 504 }),
      'timeout',
    ],
    ['503', async () => new Response(null, { status: 503 }), 'error'],
    ['no answer', () => Promise.reject(new TypeError('Failed to fetch')), 'error'],
  ])('names it and says why it did not come: %s', async (_, answer, reason) => {
    ask.mockImplementation(answer);
    const error = await failureOf(loadChunk('index', failing()));
    expect(error).toMatchObject({
      name: 'ChunkLoadError',
      message: 'Loading chunk side-menu failed',
      reason,
    });
    expect(ask.mock.calls[0]?.[0]).toBe(address);
  });

  it('retries the import if the server has the file by now', async () => {
    ask.mockResolvedValue(new Response('export {}'));
    const importer = vi.fn<() => Promise<number>>();
    importer.mockImplementationOnce(failing()).mockResolvedValueOnce(42);
    expect(await loadChunk('index', importer)).toBe(42);
    expect(importer).toHaveBeenCalledTimes(2);
  });

  it('reports that the browser repeats an earlier failure although the server has the file', async () => {
    ask.mockResolvedValue(new Response('export {}'));
    const error = await failureOf(loadChunk('index', failing()));
    expect(error.reason).toBe('remembered');
  });

  it('does not ask where the browser does not say for which file', async () => {
    const error = await failureOf(loadChunk('a', failing('Importing a module script failed.')));
    expect(error.reason).toBe('error');
    expect(ask).not.toHaveBeenCalled();
  });

  it('waits for two minutes', async () => {
    vi.useFakeTimers();
    const failure = failureOf(loadChunk('a', () => new Promise(() => undefined)));
    const onFailure = vi.fn<(error: ChunkLoadError) => void>();
    const stop = watchChunkFailures(onFailure);
    onFailure.mockClear();
    await vi.advanceTimersByTimeAsync(chunkTimeoutMs - 1);
    expect(onFailure).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect((await failure).reason).toBe('timeout');
    expect(onFailure).toHaveBeenCalledOnce();
    stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('tells a later listener about an earlier failure', async () => {
    const error = await failureOf(loadChunk('a', failing('Importing a module script failed.')));
    const onFailure = vi.fn<(error: ChunkLoadError) => void>();
    watchChunkFailures(onFailure)();
    expect(onFailure).toHaveBeenCalledExactlyOnceWith(error);
  });

  it('passes on errors of the module itself', async () => {
    const own = new TypeError('x is not a function');
    await expect(loadChunk('a', () => Promise.reject(own))).rejects.toBe(own);
  });
});
