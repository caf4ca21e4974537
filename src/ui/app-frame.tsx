import { useRef, type MouseEvent, type ReactNode } from 'react';

export interface AppFrameProps {
  readonly lead: ReactNode;
  /** Empty on pages that carry their own heading. */
  readonly title: string;
  readonly status: ReactNode;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** Leaves the address alone, and with it the steps back. */
function skip(event: MouseEvent, main: HTMLElement | null): void {
  event.preventDefault();
  main?.focus();
}

/** The page: a header that stays, and below it one part that fills the rest. */
export function AppFrame({ lead, title, status, action, children }: AppFrameProps) {
  const mainRef = useRef<HTMLElement>(null);
  return (
    <div className="flex h-dvh flex-col pr-[env(safe-area-inset-right)] pl-[env(safe-area-inset-left)]">
      <a href="#content" className="skip-link" onClick={(event) => skip(event, mainRef.current)}>
        Skip to content
      </a>
      <header className="app-header flex flex-none flex-wrap items-center justify-end gap-x-2 px-2 pt-[max(0.5rem,env(safe-area-inset-top))] pb-2">
        {lead}
        {/* Long titles take a second line; what then has no room beside them goes below. */}
        {title === '' ? (
          <div className="flex-1" />
        ) : (
          <h1 className="min-w-20 flex-1 basis-0 text-xl leading-tight wrap-anywhere min-[30rem]:text-2xl">
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
  );
}
