import { Component, lazy, type ComponentType, type FunctionComponent, type ReactNode } from 'react';
import { useLive } from '../async/live.ts';
import { ChunkLoadError } from '../async/load-chunk.ts';
import { createObservable } from '../async/observable.ts';

export interface LazyPart<Props> {
  readonly Component: FunctionComponent<Props>;
  /** Starts loading when the owner is about to need the part. A failure is shown when the part opens. */
  readonly preload: () => void;
}

interface BoundaryProps {
  readonly children: ReactNode;
  readonly onRetry: () => void;
  /** Closes the part; undefined if it cannot be closed. */
  readonly onClose: (() => void) | undefined;
}

interface BoundaryState {
  readonly error: unknown;
}

/** Catches failed loads, so that the page around the part stays; it rethrows any other error. */
class PartBoundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { error: null };

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    if (!(error instanceof ChunkLoadError)) throw error;
    const { needsReload } = error;
    return (
      <div
        role="alert"
        className="fixed inset-x-4 bottom-[max(1rem,env(safe-area-inset-bottom))] z-50 mx-auto flex max-w-journal flex-wrap items-center gap-3 rounded-card bg-bracken-soft px-4 py-3 text-ink shadow-lg"
      >
        <span className="flex-1">
          {needsReload
            ? 'This part comes when the page is reloaded. Save what you have begun first.'
            : 'This part could not be loaded. It needs a connection once.'}
        </span>
        <button
          type="button"
          className="min-h-11 px-3 font-semibold underline"
          onClick={() => {
            if (needsReload) {
              location.reload();
              return;
            }
            this.props.onRetry();
          }}
        >
          {needsReload ? 'Reload' : 'Try again'}
        </button>
        {this.props.onClose !== undefined && (
          <button
            type="button"
            className="min-h-11 px-3 font-semibold underline"
            onClick={this.props.onClose}
          >
            Close
          </button>
        )}
      </div>
    );
  }
}

/** Returns the property with which a part of that kind, such as a dialog, asks to be closed. */
function closerOf({ onClose }: { readonly onClose?: unknown }): (() => void) | undefined {
  if (typeof onClose !== 'function') return undefined;
  return () => {
    onClose();
  };
}

/**
 * Creates a part of a page whose code loads on its first use. After a failed load, the owner can retry for all places
 * that show it, or close a part that has `onClose` and open it again.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyPart<Props> {
  const begin = (attempt: number) => ({
    attempt,
    Loaded: lazy(async () => ({ default: await load() })),
  });
  const latest = createObservable(begin(1));
  const retry = (): void => latest.set(begin(latest.getSnapshot().attempt + 1));

  function Part(props: Props) {
    const { attempt, Loaded } = useLive(latest);
    const onClose = closerOf(props);
    const close = (): void => {
      retry();
      onClose?.();
    };
    return (
      <PartBoundary key={attempt} onRetry={retry} onClose={onClose && close}>
        <Loaded {...props} />
      </PartBoundary>
    );
  }

  return {
    Component: Part,
    preload: () => {
      load().catch(() => undefined);
    },
  };
}
