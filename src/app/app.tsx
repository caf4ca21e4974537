import { RouterProvider } from '@tanstack/react-router';
import { Provider as JotaiProvider, useAtomValue, type createStore } from 'jotai';
import { DataProvider } from '../data/data-context.ts';
import { SessionProvider, type Session } from '../platform/auth/session.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import type { createAppRouter } from './router.ts';
import { dataAtom, readFailedAtom } from './session/session-controller.ts';

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

const cannotRead =
  'Your journal could not be read on this device. PawPals has deleted nothing: reload the page, or restart the browser if this comes back.';

function ReadFailed() {
  return (
    <main className="flex min-h-dvh flex-col">
      <div role="alert" className="contents">
        <EmptyState sentence={cannotRead} heading="h1">
          <Button kind="primary" onClick={() => location.reload()}>
            Reload
          </Button>
        </EmptyState>
      </div>
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
