import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';

export interface InViewOptions {
  /** The scrolling element; null until it is rendered. */
  readonly root: Element | null;
  /** The distance outside the visible part that still counts as in view. */
  readonly marginPx: number;
  readonly onChange: (isInView: boolean, heightPx: number) => void;
  /** When this value changes, `onChange` is called again, although the element may not have moved. */
  readonly content?: unknown;
}

/** Observes whether an element is in or near the visible part of its scroller. */
export function useInView<T extends Element>(options: InViewOptions): RefObject<T | null> {
  const { root, marginPx, content } = options;
  const ref = useRef<T>(null);
  const onChange = useEffectEvent(options.onChange);
  useEffect(() => {
    const element = ref.current;
    if (element === null || root === null) return undefined;
    const observer = new IntersectionObserver(
      (records) => {
        const last = records.at(-1);
        if (last !== undefined) onChange(last.isIntersecting, last.boundingClientRect.height);
      },
      { root, rootMargin: `${String(marginPx)}px 0px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
    // oxlint-disable-next-line react/exhaustive-deps -- a new observer reports again, as other content asks for
  }, [root, marginPx, content]);
  return ref;
}
