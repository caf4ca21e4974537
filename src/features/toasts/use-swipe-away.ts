import { useRef, useState, type CSSProperties, type MouseEvent, type PointerEvent } from 'react';

/** The distance below which a touch is a press and not a swipe. */
const slopPx = 8;
/** The distance after which a release dismisses the element. */
const awayPx = 64;
/** The distance at which the element is fully transparent. */
const fadedPx = 240;

interface Swipe {
  readonly pointerId: number;
  readonly x: number;
  readonly y: number;
  /** The direction of the swipe; null while it is still a press. */
  axis: 'x' | 'y' | null;
}

export interface SwipeAway {
  readonly style: CSSProperties;
  readonly handlers: {
    readonly onPointerDown: (event: PointerEvent) => void;
    readonly onPointerMove: (event: PointerEvent) => void;
    readonly onPointerUp: (event: PointerEvent) => void;
    readonly onPointerCancel: () => void;
    readonly onClickCapture: (event: MouseEvent) => void;
  };
}

/**
 * Lets a finger swipe an element away, to either side or up; after a short swipe it returns. A swipe that ends on a
 * button does not press it. A mouse selects text instead.
 */
export function useSwipeAway(onAway: () => void): SwipeAway {
  const swipe = useRef<Swipe | null>(null);
  const hasMoved = useRef(false);
  /** The offset of the element; [0, 0] at rest. */
  const [[x, y], setShift] = useState<readonly [number, number]>([0, 0]);
  const distancePx = Math.max(Math.abs(x), Math.abs(y));

  const end = (): void => {
    swipe.current = null;
    setShift([0, 0]);
  };

  const move = (event: PointerEvent): void => {
    const { current } = swipe;
    if (current?.pointerId !== event.pointerId) return;
    const dx = event.clientX - current.x;
    const dy = event.clientY - current.y;
    if (current.axis === null) {
      if (Math.hypot(dx, dy) < slopPx) return;
      current.axis = Math.abs(dx) > Math.abs(dy) ? 'x' : 'y';
      hasMoved.current = true;
    }
    setShift(current.axis === 'x' ? [dx, 0] : [0, Math.min(dy, 0)]);
  };

  return {
    style: {
      transform: distancePx === 0 ? undefined : `translate(${String(x)}px, ${String(y)}px)`,
      opacity: 1 - Math.min(distancePx / fadedPx, 1),
      // The element follows the finger without a transition, and returns with one.
      transition: distancePx === 0 ? 'transform 150ms, opacity 150ms' : undefined,
      touchAction: 'pinch-zoom',
    },
    handlers: {
      onPointerDown: ({ pointerId, pointerType, clientX, clientY }) => {
        hasMoved.current = false;
        if (pointerType === 'mouse' || swipe.current !== null) return;
        swipe.current = { pointerId, x: clientX, y: clientY, axis: null };
      },
      onPointerMove: move,
      onPointerUp: (event) => {
        if (swipe.current?.pointerId !== event.pointerId) return;
        end();
        if (distancePx > awayPx) onAway();
      },
      onPointerCancel: end,
      onClickCapture: (event) => {
        // A click by keyboard has detail 0.
        if (hasMoved.current && event.detail > 0) event.stopPropagation();
      },
    },
  };
}
