/** Two taps within this time and distance are a double tap, as on phones. */
export const doubleTapMs = 350;
const doubleTapPx = 25;

/** The clicks of second taps that their `detail` does not tell. */
const secondTaps = new WeakSet<Event>();

interface Click {
  readonly detail: number;
  readonly nativeEvent: Event;
}

/** Whether a click is the second one of a double click or double tap. */
export function isRepeatedTap({ detail, nativeEvent }: Click): boolean {
  return detail > 1 || secondTaps.has(nativeEvent);
}

/** Returns the control that a click on the element presses. */
function controlAt(target: EventTarget | null): Element | null {
  if (!(target instanceof Element)) return null;
  return target.closest('label')?.control ?? target.closest('a, button, input, textarea, select');
}

function ignoreHeldEnter(event: KeyboardEvent): void {
  const isLine = event.target instanceof HTMLTextAreaElement;
  if (event.repeat && event.key === 'Enter' && !isLine) event.preventDefault();
}

/**
 * Ignores presses that were not meant for the control that gets them:
 *
 * - The second tap of a double tap, if the first one has navigated to another page, or pressed another control: the one
 *   that it gets has only just come to that place. Browsers on iOS count each tap as the first, so taps of a finger
 *   count as a double tap if they are as quick and as near as one. Clicks of a mouse that are merely quick do not.
 * - The repetition of an Enter key that is held, anywhere but in a text of several lines. The first press may have moved the
 *   focus, or given its control another meaning.
 * @param hrefOf returns the current address.
 * @returns a function that stops ignoring.
 */
export function ignoreRepeatedPresses(page: Document, hrefOf: () => string): () => void {
  let isTouch = false;
  let last: MouseEvent | null = null;
  let firstHref = hrefOf();
  let firstControl: Element | null = null;

  const isQuickAfter = (before: MouseEvent | null, event: MouseEvent): boolean =>
    isTouch &&
    before !== null &&
    event.timeStamp - before.timeStamp < doubleTapMs &&
    Math.hypot(event.clientX - before.clientX, event.clientY - before.clientY) < doubleTapPx;

  const onClick = (event: MouseEvent): void => {
    // A click by keyboard or screen reader has no position.
    if (event.detail === 0) return;
    const control = controlAt(event.target);
    if (isQuickAfter(last, event)) secondTaps.add(event);
    last = event;
    if (!isRepeatedTap({ detail: event.detail, nativeEvent: event })) {
      firstHref = hrefOf();
      firstControl = control;
    } else if (hrefOf() !== firstHref || control !== firstControl) {
      event.preventDefault();
      event.stopPropagation();
    }
  };
  const onPointerDown = ({ pointerType }: PointerEvent): void => {
    isTouch = pointerType === 'touch';
  };
  page.addEventListener('click', onClick, true);
  page.addEventListener('pointerdown', onPointerDown, true);
  page.addEventListener('keydown', ignoreHeldEnter, true);
  return () => {
    page.removeEventListener('click', onClick, true);
    page.removeEventListener('pointerdown', onPointerDown, true);
    page.removeEventListener('keydown', ignoreHeldEnter, true);
  };
}
