import { act, render } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { Entry } from '../../../../schemas/documents/document.ts';
import { feedPageSize } from '../../../../schemas/limits.ts';
import { cell } from '../../../../tests/support/fakes/cell.ts';
import { entryRow } from '../../../../tests/support/fakes/fake-data.ts';
import { createJournalFeed } from './journal-feed.ts';
import { RangeView } from './range-view.tsx';

afterEach(() => vi.unstubAllGlobals());

/** Reports each observed element once, as a browser does: out of view. */
class FarObserver {
  readonly #report: IntersectionObserverCallback;

  constructor(report: IntersectionObserverCallback) {
    this.#report = report;
  }

  observe(target: Element): void {
    const boundingClientRect = new DOMRect(0, 9_000, 300, 4_321);
    // The component reads only these properties of a record, and no observer.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const record = {
      target,
      isIntersecting: false,
      boundingClientRect,
    } as IntersectionObserverEntry;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    this.#report([record], this as unknown as IntersectionObserver);
  }

  disconnect(): void {}
}

it('releases a range that was scrolled out of view before its rows were read', () => {
  vi.stubGlobal('IntersectionObserver', FarObserver);
  const newest = Array.from({ length: feedPageSize }, (_, index) =>
    entryRow(`e${String(index)}`, 1_000 - index),
  );
  const older = cell<readonly Entry[] | undefined>(undefined);
  const feed = createJournalFeed({
    read: ({ after }) => (after === null ? cell(newest) : older),
    keyBefore: async () => null,
    at: null,
  });
  feed.subscribe(() => undefined);
  feed.loadOlder();
  const rangeId = feed.getSnapshot().ranges[1]?.id ?? -1;
  const { baseElement } = render(
    <RangeView
      feed={feed}
      rangeId={rangeId}
      olderMs={null}
      scroller={document.body}
      isWhole={false}
    />,
  );
  expect(feed.rangeOf(rangeId)).toMatchObject({ rows: null, isLive: true });
  act(() => older.set([]));
  expect(feed.rangeOf(rangeId)).toMatchObject({ rows: null, isLive: false, heightPx: 4_321 });
  expect(baseElement.querySelector<HTMLElement>('[data-range]')?.style.height).toBe('4321px');
});
