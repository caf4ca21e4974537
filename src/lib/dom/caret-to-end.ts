interface Focused {
  readonly currentTarget: HTMLTextAreaElement;
}

/** The boxes that have had the focus. */
const visited = new WeakSet<HTMLTextAreaElement>();

/**
 * Moves the caret to the end of a text that gets the focus for the first time: most edits add something. A click puts the
 * caret where it is, after the focus.
 */
export function caretToEnd({ currentTarget: box }: Focused): void {
  const isUntouched = box.selectionStart === 0 && box.selectionEnd === 0;
  const isFirst = !visited.has(box);
  visited.add(box);
  if (isFirst && isUntouched) box.setSelectionRange(box.value.length, box.value.length);
}
