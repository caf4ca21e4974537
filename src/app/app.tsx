import { RouterProvider } from '@tanstack/react-router';
import { Provider as JotaiProvider, useAtomValue, type createStore } from 'jotai';
import { DataProvider } from '../data/data-context.ts';
import { SessionProvider, type Session } from '../platform/auth/session.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import type { createAppRouter } from './router.ts';
import { ChunkLoadError } from '../lib/async/load-chunk.ts';
import { dataAtom, readFailureAtom } from './session/session-controller.ts';

interface AppProps {
  readonly store: ReturnType<typeof createStore>;
  readonly session: Session;
  readonly router: ReturnType<typeof createAppRouter>;
}

function Screens({ router }: Pick<AppProps, 'router'>) {
  const data = useAtomValue(dataAtom);
  const failure = useAtomValue(readFailureAtom);
  if (failure !== null) return <NotShown error={failure} />;
  return (
    <DataProvider value={data}>
      <RouterProvider router={router} />
    </DataProvider>
  );
}

const cannotRead =
  'Your journal could not be read on this device. PawPals has deleted nothing: reload the page, or restart the browser if this comes back.';

const cannotLoad =
  'PawPals could not be loaded whole. Your journal is still on this device: reload the page once there is a connection.';

function NotShown({ error }: { readonly error: Error }) {
  const sentence = error instanceof ChunkLoadError ? cannotLoad : cannotRead;
  return (
    <main className="flex min-h-dvh flex-col">
      <div role="alert" className="contents">
        <EmptyState sentence={sentence} heading="h1">
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
