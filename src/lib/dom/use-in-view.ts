import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';

export interface InViewOptions {
  /** The element that scrolls; null until it is there. */
  readonly root: Element | null;
  /** How far outside the visible part still counts as in view. */
  readonly marginPx: number;
  readonly onChange: (isInView: boolean, heightPx: number) => void;
}

/** Watches whether an element is in or near the visible part of what scrolls it. */
export function useInView<T extends Element>(options: InViewOptions): RefObject<T | null> {
  const { root, marginPx } = options;
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
  }, [root, marginPx]);
  return ref;
}
