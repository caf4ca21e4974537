import { buttonStyle } from './button-style.ts';
import { EmptyState } from './empty-state.tsx';

/** A page for unexpected errors. Its links reload the app, so they do not rely on the state of the old page. */
export function ErrorPage() {
  return (
    <main className="flex min-h-dvh flex-col">
      <EmptyState sentence="Something went wrong." heading="h1">
        <p className="max-w-[40ch] text-ink-soft">
          What was stored on this device is still there. Start again from your dogs.
        </p>
        <a href="/pets" className={buttonStyle('primary')}>
          Back to My Dogs
        </a>
      </EmptyState>
    </main>
  );
}
