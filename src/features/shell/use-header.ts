import { useMatches } from '@tanstack/react-router';

/** The options of a page for the header. The last match that has options wins. */
export interface HeaderOptions {
  /** The title; missing if the page has its own heading. */
  readonly title?: string;
  readonly lead?: 'menu' | 'back';
  readonly hasSave?: boolean;
  readonly hasSearch?: boolean;
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    readonly header?: HeaderOptions;
  }
}

export function useHeader(): HeaderOptions {
  return (
    useMatches({
      select: (matches) =>
        matches.findLast(({ staticData }) => staticData.header)?.staticData.header,
    }) ?? {}
  );
}
