import { useRef, type MouseEvent, type ReactNode } from 'react';

export interface AppFrameProps {
  readonly lead: ReactNode;
  /** The title; empty on pages with their own heading. */
  readonly title: string;
  readonly status: ReactNode;
  readonly action?: ReactNode;
  /** The columns beside the page. Without one, its place stays empty. */
  readonly left?: ReactNode;
  readonly right?: ReactNode;
  readonly children: ReactNode;
}

/** Moves the focus to the page without changing the address, and so without a history entry. */
function skip(event: MouseEvent, main: HTMLElement | null): void {
  event.preventDefault();
  main?.focus();
}

/** Sets the lower edge of the header as a property of the page, for overlays. @returns a function that removes it. */
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

/** The frame of a page: a fixed header, the content that fills the rest, and a column on each side. */
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
          className="app-header page-column fade-below flex flex-none flex-wrap items-center justify-end gap-x-1 px-2 pt-[max(0.5rem,env(safe-area-inset-top))] pb-2"
        >
          {lead}
          {/* A long title takes a second line; controls that do not fit beside it move below. */}
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
