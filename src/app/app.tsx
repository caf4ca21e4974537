import { RouterProvider } from '@tanstack/react-router';
import { Provider as JotaiProvider, useAtomValue, type createStore } from 'jotai';
import { DataProvider } from '../data/data-context.ts';
import { SessionProvider, type Session } from '../platform/session.ts';
import type { createAppRouter } from './router.ts';
import { dataAtom, readFailedAtom } from './session-controller.ts';

interface AppProps {
  readonly store: ReturnType<typeof createStore>;
  readonly session: Session;
  readonly router: ReturnType<typeof createAppRouter>;
}

function Screens({ router }: Pick<AppProps, 'router'>) {
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
