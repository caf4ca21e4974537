/** IndexedDB's own events as promises. */

export function answerOf<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('No answer')));
  });
}

/** Visits the rows of a cursor in order, with one at a time in memory. */
export function eachOf<Cursor extends IDBCursor>(
  request: IDBRequest<Cursor | null>,
  visit: (cursor: Cursor) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    request.addEventListener('error', () => reject(request.error ?? new Error('No answer')));
    request.addEventListener('success', () => {
      const cursor = request.result;
      if (cursor === null) return resolve();
      visit(cursor);
      cursor.continue();
    });
  });
}

/** Aborts a transaction, unless it has ended. */
function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch (error) {
    if (!(error instanceof DOMException) || error.name !== 'InvalidStateError') throw error;
  }
}

/** Resolves when the transaction is on disk. */
export function endOfTransaction(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('abort', () =>
      reject(transaction.error ?? new DOMException('The transaction was aborted', 'AbortError')),
    );
  });
}

/**
 * Writes to object stores with strict durability: everything is on disk when it resolves, or nothing is stored.
 * @param work awaits each of its requests: a browser may complete a transaction that was committed before one failed.
 */
export async function writeTo<Result>(
  database: IDBDatabase,
  stores: string | string[],
  work: (transaction: IDBTransaction) => Promise<Result>,
): Promise<Result> {
  const transaction = database.transaction(stores, 'readwrite', { durability: 'strict' });
  const ended = endOfTransaction(transaction);
  try {
    const result = await work(transaction);
    transaction.commit();
    await ended;
    return result;
  } catch (error) {
    ended.catch(() => undefined);
    abort(transaction);
    throw error;
  }
}
