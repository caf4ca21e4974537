import { describe, expect, it } from 'vitest';
import { newPet } from '../../tests/support/fixtures/sync-documents.ts';
import type { Stored } from '../document-store.ts';
import { pagesOf } from './pages.ts';

const stored = (id: string): Stored => ({ document: newPet(id), revision: '1' });

/** Reads the pages of a list, and records what was asked for. */
async function pagesFrom(ids: readonly string[], limit: number) {
  const asked: string[] = [];
  const pages: string[][] = [];
  const read = async ({ afterId }: { readonly afterId: string }): Promise<readonly Stored[]> => {
    asked.push(afterId);
    return ids
      .filter((id) => id > afterId)
      .slice(0, limit)
      .map(stored);
  };
  for await (const page of pagesOf(read, limit))
    pages.push(page.map(({ document }) => document.id));
  return { asked, pages };
}

describe('the pages of a list', () => {
  it('go on after the last document of the one before, until one is not full', async () => {
    const { asked, pages } = await pagesFrom(['a', 'b', 'c', 'd', 'e'], 2);
    expect(pages).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
    expect(asked).toEqual(['', 'b', 'd']);
  });

  it('end with an empty one if the last was full', async () => {
    expect((await pagesFrom(['a', 'b'], 2)).pages).toEqual([['a', 'b'], []]);
  });

  it('are one empty page of an empty list', async () => {
    const { asked, pages } = await pagesFrom([], 2);
    expect(pages).toEqual([[]]);
    expect(asked).toEqual(['']);
  });

  it('are read only as far as somebody wants them', async () => {
    let reads = 0;
    const read = async (): Promise<readonly Stored[]> => {
      reads += 1;
      return [stored('a')];
    };
    for await (const page of pagesOf(read, 1)) {
      expect(page).toHaveLength(1);
      break;
    }
    expect(reads).toBe(1);
  });
});
