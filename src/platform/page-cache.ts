/** A page that is left may be kept in memory, frozen, to be shown again by a step back. */

/**
 * Calls `onKept` when the page is about to be kept in memory, frozen, after it is left. @returns a function that stops
 * watching.
 */
export function watchPageKept(onKept: () => void): () => void {
  const report = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) onKept();
  };
  window.addEventListener('pagehide', report);
  return () => window.removeEventListener('pagehide', report);
}

type Begin = typeof IDBDatabase.prototype.transaction;

function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {
    // The transaction is being committed, which no longer needs the page.
  }
}

/**
 * Tracks transactions. @returns a function that aborts all transactions of this page, and those that begin in the rest
 * of its task.
 */
function followTransactions(): () => void {
  const inFlight = new Set<IDBTransaction>();
  let isFreezing = false;

  const follow = (transaction: IDBTransaction): void => {
    if (isFreezing) {
      abort(transaction);
      return;
    }
    inFlight.add(transaction);
    for (const end of ['complete', 'abort']) {
      transaction.addEventListener(end, () => inFlight.delete(transaction));
    }
  };
  const { prototype } = IDBDatabase;
  // The proxy calls it with the database.
  // oxlint-disable-next-line typescript/unbound-method
  prototype.transaction = new Proxy<Begin>(prototype.transaction, {
    apply: (begin, database, args) => {
      const transaction: IDBTransaction = Reflect.apply(begin, database, args);
      follow(transaction);
      return transaction;
    },
  });
  return () => {
    isFreezing = true;
    // A frozen page runs no tasks until it is shown again.
    setTimeout(() => {
      isFreezing = false;
    });
    for (const transaction of inFlight) abort(transaction);
  };
}

/**
 * Makes it safe for browsers to keep this page in memory. It must run before any database is opened.
 *
 * - A page that is kept has no transaction in flight, of any library. WebKit dispatches no events to a kept page, so
 *   its transaction would never end, and all other tabs would wait for it until the page is evicted. An aborted write
 *   was not acknowledged.
 * - A page that is shown again reloads, because it has missed the writes of other tabs, perhaps a sign-out.
 */
export function guardPageCache(reload = () => location.reload()): void {
  watchPageKept(followTransactions());
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) reload();
  });
}
