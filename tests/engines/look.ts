/** An element by what a person or a screen reader would call it. Regular expressions are given by their source. */
export interface Target {
  readonly css: string;
  /** Its accessible name, whole. */
  readonly name?: string;
  /** Its text has this in it. */
  readonly text?: string;
  /** The one that this finds first has it inside. */
  readonly within?: Target;
}

export interface Seen {
  readonly name: string;
  readonly text: string;
  readonly value: string;
  /** The middle of it; null where something covers it, or it lies outside of the window. */
  readonly point: { readonly x: number; readonly y: number } | null;
}

/**
 * `aim` scrolls the first element into sight; `press` lets no press reach anything but that one, and notes such a one.
 * `press-twice` lets the second press reach what is there by then, unless it comes so late that it is no double press.
 */
export type Intent = 'see' | 'aim' | 'press' | 'press-twice';

/** Runs in the page. @returns the visible elements that a target means. */
export function look(target: Target, intent: Intent): Seen[] {
  const tidy = (text: string | null | undefined): string =>
    (text ?? '').replace(/\s+/g, ' ').trim();
  const isVisible = (element: Element): boolean => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && getComputedStyle(element).visibility === 'visible';
  };
  const labelOf = (element: Element): string => {
    const ids = element.getAttribute('aria-labelledby')?.split(' ') ?? [];
    const byIds = ids.map((id) => tidy(document.getElementById(id)?.textContent)).join(' ');
    const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
    const labels = isField ? Array.from(element.labels ?? []) : [];
    const byLabels = labels.map((label) => tidy(label.textContent)).join(' ');
    return tidy(element.ariaLabel) || byIds || byLabels || tidy(element.textContent);
  };
  const find = ({ css, name, text, within }: Target): Element[] => {
    const scope = within === undefined ? document : find(within)[0];
    const all = [...(scope?.querySelectorAll(css) ?? [])].filter(isVisible);
    return all.filter((element) => {
      if (name !== undefined && !new RegExp(`^(?:${name})$`).test(labelOf(element))) return false;
      return text === undefined || new RegExp(text).test(tidy(element.textContent));
    });
  };
  const pointOf = (element: Element): Seen['point'] => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const x = (left + right) / 2;
    const y = (top + bottom) / 2;
    const hit = document.elementFromPoint(x, y);
    return hit !== null && (element.contains(hit) || hit.contains(element)) ? { x, y } : null;
  };
  const found = find(target);
  const [first] = found;
  if (intent === 'aim' && first !== undefined && pointOf(first) === null) {
    first.scrollIntoView({ block: 'center', behavior: 'instant' });
  }
  if ((intent === 'press' || intent === 'press-twice') && first !== undefined) {
    const guard = new AbortController();
    const stopLateClick = (): void => {
      const check = (event: MouseEvent): void => {
        if (event.detail > 1) return;
        event.preventDefault();
        event.stopImmediatePropagation();
      };
      window.addEventListener('click', check, { capture: true, once: true });
    };
    Reflect.set(window, 'pressMissed', false);
    for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']) {
      const check = (event: Event): void => {
        if (type === 'click') {
          guard.abort();
          if (intent === 'press-twice') stopLateClick();
        }
        if (event.composedPath().includes(first)) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        Reflect.set(window, 'pressMissed', true);
      };
      window.addEventListener(type, check, { capture: true, signal: guard.signal });
    }
  }
  return found.map((element) => ({
    name: labelOf(element),
    text: tidy(element.textContent),
    value: 'value' in element ? String(element.value) : '',
    point: pointOf(element),
  }));
}

/** Runs in the page, after a press. A page that was left by it has nothing noted. */
export const hasPressMissed = (): boolean => Reflect.get(window, 'pressMissed') === true;

const byRole =
  (css: string) =>
  (name?: string): Target =>
    name === undefined ? { css } : { css, name };

export const button = byRole('button, [role=button]');
export const link = byRole('a[href]');
export const heading = byRole('h1, h2, h3');
export const box = byRole('input:not([type=file]), textarea');
export const dialog: Target = { css: 'dialog[open], [role=dialog], [role=alertdialog]' };
