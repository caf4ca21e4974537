import { useMatches } from '@tanstack/react-router';

/** What a page asks of the header: the last match that says something wins. */
export interface HeaderOptions {
  /** Left out where the page carries its own heading. */
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
