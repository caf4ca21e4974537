import { useRef, type MouseEvent, type ReactNode } from 'react';

export interface AppFrameProps {
  readonly lead: ReactNode;
  /** Empty on pages that carry their own heading. */
  readonly title: string;
  readonly status: ReactNode;
  readonly action?: ReactNode;
  /** The columns beside the page; without one its place stays empty. */
  readonly left?: ReactNode;
  readonly right?: ReactNode;
  readonly children: ReactNode;
}

/** Leaves the address alone, and with it the steps back. */
function skip(event: MouseEvent, main: HTMLElement | null): void {
  event.preventDefault();
  main?.focus();
}

/** Says on the page where its header ends, for what is shown over all of it. @returns a function that takes it back. */
function tellLowerEdge(header: HTMLElement): () => void {
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => {
    style.setProperty('--header-bottom', `${String(header.getBoundingClientRect().bottom)}px`);
  });
  observer.observe(header);
  return () => {
    observer.disconnect();
    style.removeProperty('--header-bottom');
  };
}

/** The page: a header that stays, below it one part that fills the rest, and beside both a column on each side. */
export function AppFrame(props: AppFrameProps) {
  const { lead, title, status, action, left, right, children } = props;
  const mainRef = useRef<HTMLElement>(null);
  return (
    <div className="app-frame">
      <a href="#content" className="skip-link" onClick={(event) => skip(event, mainRef.current)}>
        Skip to content
      </a>
      {left}
      <div className="app-page">
        <header
          ref={tellLowerEdge}
          className="app-header fade-below mx-auto flex w-full max-w-journal flex-none flex-wrap items-center justify-end gap-x-1 px-2 pt-[max(0.5rem,env(safe-area-inset-top))] pb-2"
        >
          {lead}
          {/* Long titles take a second line; what then has no room beside them goes below. */}
          {title === '' ? (
            <div className="flex-1" />
          ) : (
            <h1 className="min-w-20 flex-1 basis-0 px-1 text-xl leading-tight wrap-anywhere first:px-2 min-[30rem]:text-2xl">
              {title}
            </h1>
          )}
          {status}
          {action}
        </header>
        <main ref={mainRef} id="content" tabIndex={-1} className="flex min-h-0 flex-1 flex-col">
          {children}
        </main>
      </div>
      {right}
    </div>
  );
}
