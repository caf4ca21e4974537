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

/** Runs in the page. @returns the visible elements that a target means, the first scrolled into sight if asked to. */
export function look(target: Target, isToBePressed: boolean): Seen[] {
  const tidy = (text: string | null | undefined): string =>
    (text ?? '').replace(/\s+/g, ' ').trim();
  const isVisible = (element: Element): boolean => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && getComputedStyle(element).visibility === 'visible';
  };
  const labelOf = (element: Element): string => {
    const ids = element.getAttribute('aria-labelledby')?.split(' ') ?? [];
    const byIds = ids.map((id) => tidy(document.getElementById(id)?.textContent)).join(' ');
    const labels =
      'labels' in element ? [...((element.labels as NodeListOf<Element> | null) ?? [])] : [];
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
  if (isToBePressed && found[0] !== undefined && pointOf(found[0]) === null) {
    found[0].scrollIntoView({ block: 'center', behavior: 'instant' });
  }
  return found.map((element) => ({
    name: labelOf(element),
    text: tidy(element.textContent),
    value: 'value' in element ? String(element.value) : '',
    point: pointOf(element),
  }));
}

const byRole =
  (css: string) =>
  (name?: string): Target =>
    name === undefined ? { css } : { css, name };

export const button = byRole('button, [role=button]');
export const link = byRole('a[href]');
export const heading = byRole('h1, h2, h3');
export const box = byRole('input:not([type=file]), textarea');
export const dialog: Target = { css: 'dialog[open], [role=dialog], [role=alertdialog]' };
