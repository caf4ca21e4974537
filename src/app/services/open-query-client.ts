import { onlineManager, QueryCache, QueryClient } from '@tanstack/react-query';
import type { ServerAnswers } from '../../data/data-context.ts';
import type { Connection } from '../../platform/connection.ts';

/** How long an answer counts as fresh, and how long an unused one stays in the cache. */
const answerKeptMs = 60_000;

export interface OpenAnswers extends ServerAnswers {
  /** Clears the cache and drops the requests in flight. */
  close(): void;
}

/** The check reads the kind alone, because importing the class would load the code of sync. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'kind' in error && error.kind === 'permanent';
}

/**
 * Opens the React Query client of one owner's session, for answers of the server that are not synced.
 *
 * - Screens that want the same answer share one request and one cached answer.
 * - A request is sent even when the connection seems to be lost, because only a request can tell; it then fails without a retry.
 * - With a connection, a failed request is retried once, unless the server has refused it.
 * - A failed request is sent again when the connection comes back, and an answer marks the connection as back.
 * - The focus of the page causes no request, because these answers rarely change.
 */
export function openAnswers(connection: Connection): OpenAnswers {
  onlineManager.setEventListener((setOnline) => {
    setOnline(connection.isOnline());
    return connection.watch(setOnline);
  });
  const client = new QueryClient({
    queryCache: new QueryCache({ onSuccess: () => connection.note(true) }),
    defaultOptions: {
      queries: {
        networkMode: 'always',
        staleTime: answerKeptMs,
        gcTime: answerKeptMs,
        retry: (failureCount, error) =>
          failureCount < 1 && connection.isOnline() && !isRefusal(error),
        refetchOnReconnect: true,
        refetchOnWindowFocus: false,
      },
    },
  });
  client.mount();
  return {
    client,
    close: () => {
      client.unmount();
      client.clear();
    },
  };
}
