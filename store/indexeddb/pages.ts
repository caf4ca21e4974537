import type { PageById, Stored } from '../document-store.ts';

/**
 * Yields all pages of a list in order of id, until one is not full. @param read returns a page of at most `limit`
 * documents after that id.
 */
export async function* pagesOf(
  read: (page: PageById) => Promise<readonly Stored[]>,
  limit = 100,
): AsyncGenerator<readonly Stored[]> {
  let afterId: string | null = '';
  while (afterId !== null) {
    const page: readonly Stored[] = await read({ afterId, limit });
    yield page;
    afterId = page.length < limit ? null : (page.at(-1)?.document.id ?? null);
  }
}
