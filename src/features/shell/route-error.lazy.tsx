import { isNotFound, useMatch, type ErrorComponentProps } from '@tanstack/react-router';
import { useDocumentTitle } from '../../lib/dom/document-title.ts';
import { ChunkLoadError, type ChunkFailure } from '../../lib/async/load-chunk.ts';
import { Button } from '../../ui/button.tsx';
import { buttonStyle } from '../../ui/button-style.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useHeader } from './use-header.ts';

interface ErrorWords {
  readonly sentence: string;
  readonly hint: string;
  /** The status code as HTTP names it. */
  readonly code?: string;
}

const unexpected: ErrorWords = {
  sentence: 'Something went wrong.',
  hint: 'What was stored on this device is still there.',
};

const notLoaded = 'This page could not be loaded.';

const wordsByFailure: Readonly<Record<ChunkFailure, ErrorWords>> = {
  missing: {
    sentence: notLoaded,
    hint: 'There is a newer version of PawPals, which comes with “Try again”. Your journal is still on this device.',
  },
  remembered: {
    sentence: notLoaded,
    hint: 'It comes with “Try again”. Your journal is still on this device.',
  },
  timeout: {
    sentence: notLoaded,
    hint: 'The connection is too slow just now. Your journal is still on this device.',
  },
  error: {
    sentence: notLoaded,
    hint: 'It needs a connection once. Your journal is still on this device.',
  },
};

const wordsByStatus: Readonly<Record<number, ErrorWords>> = {
  400: {
    sentence: 'This address does not make sense',
    hint: 'It is not complete, or was changed on its way to you.',
    code: '400 Bad Request',
  },
  404: {
    sentence: 'There is nothing here',
    hint: 'What was here has been moved or deleted, or never was.',
    code: '404 Not Found',
  },
  405: {
    sentence: 'This cannot be done here',
    hint: 'The address is right, what was asked of it is not.',
    code: '405 Method Not Allowed',
  },
};

/** Returns the sentences for an error. A loader throws a `Response` with a status, or the router's own not-found. */
function wordsOf(error: unknown): ErrorWords {
  if (isNotFound(error)) return wordsByStatus[404] ?? unexpected;
  if (error instanceof Response) return wordsByStatus[error.status] ?? unexpected;
  return error instanceof ChunkLoadError ? wordsByFailure[error.reason] : unexpected;
}

/**
 * Replaces a page that could not be rendered. Its links reload the app, so they do not rely on the state of the old
 * page.
 */
export function RouteError({ error }: Pick<ErrorComponentProps, 'error'>) {
  const { sentence, hint, code } = wordsOf(error);
  const isFramed = useMatch({ from: '/_app', shouldThrow: false }) !== undefined;
  // The frame may show a title already.
  const isTitled = useHeader().title !== undefined;
  useDocumentTitle(isTitled ? undefined : sentence);
  const content = (
    <EmptyState sentence={sentence} heading={isTitled ? 'h2' : 'h1'}>
      <p className="max-w-[40ch] text-ink-soft">{hint}</p>
      <div className="flex flex-wrap justify-center gap-3">
        <a href="/pets" className={buttonStyle('primary')}>
          Back to My Dogs
        </a>
        {code === undefined && <Button onClick={() => location.reload()}>Try again</Button>}
      </div>
      {code !== undefined && <p className="text-ink-soft tabular-nums">{code}</p>}
    </EmptyState>
  );
  return isFramed ? content : <main className="flex min-h-dvh flex-col">{content}</main>;
}

export function RouteNotFound() {
  return <RouteError error={new Response(null, { status: 404 })} />;
}
