import { RouterProvider } from '@tanstack/react-router';
import { Provider as JotaiProvider, useAtomValue, type createStore } from 'jotai';
import { useEffect } from 'react';
import { DataProvider } from '../data/data-context.ts';
import { authStateAtom, SessionProvider, type Session } from '../platform/session.ts';
import type { createAppRouter } from './router.ts';
import { dataAtom, readFailedAtom } from './session-controller.ts';

interface AppProps {
  readonly store: ReturnType<typeof createStore>;
  readonly session: Session;
  readonly router: ReturnType<typeof createAppRouter>;
}

/** The guards of the routes look at who is signed in: they are asked again when that changes. */
function useGuards(router: AppProps['router']): void {
  const { user, initialized } = useAtomValue(authStateAtom);
  const uid = user?.uid;
  useEffect(() => {
    void router.invalidate();
  }, [router, uid, initialized]);
}

function Screens({ router }: Pick<AppProps, 'router'>) {
  useGuards(router);
  const data = useAtomValue(dataAtom);
  const readFailed = useAtomValue(readFailedAtom);
  if (readFailed) return <ReadFailed />;
  return (
    <DataProvider value={data}>
      <RouterProvider router={router} />
    </DataProvider>
  );
}

function ReadFailed() {
  return (
    <main className="mx-auto max-w-md p-6" role="alert">
      <h1>Something went wrong.</h1>
      <p>
        Your journal could not be read on this device. Nothing was deleted: reload the page, or
        restart the browser if this comes back.
      </p>
      <button type="button" onClick={() => location.reload()}>
        Reload
      </button>
    </main>
  );
}

export function App({ store, session, router }: AppProps) {
  return (
    <JotaiProvider store={store}>
      <SessionProvider value={session}>
        <Screens router={router} />
      </SessionProvider>
    </JotaiProvider>
  );
}
