/** A body that is being received, and a way to abort it. */
export interface UploadBody {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Aborts the transfer, which makes `bytes` fail soon. */
  abort(): void;
}

type Run<T> = (bytes: AsyncIterable<Uint8Array>) => Promise<T>;

/** Runs one task per id; a newer one aborts the body of the older and waits for its end. */
export function createTakeover() {
  const running = new Map<string, { abort: () => void; ended: Promise<unknown> }>();
  return async <T>(id: string, body: UploadBody | null, run: Run<T>): Promise<T> => {
    for (let older = running.get(id); older !== undefined; older = running.get(id)) {
      older.abort();
      await older.ended;
    }
    let isReading = true;
    async function* bytes() {
      yield* body?.bytes ?? [];
      // From here on the request only waits for its answer.
      isReading = false;
    }
    const result = run(bytes());
    const ended = result.then(
      () => running.delete(id),
      () => running.delete(id),
    );
    running.set(id, { abort: () => isReading && body?.abort(), ended });
    return result;
  };
}
