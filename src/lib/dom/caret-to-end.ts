interface Focused {
  readonly currentTarget: HTMLTextAreaElement;
}

/**
 * Moves the caret to the end of a text that gets the focus for the first time: most edits add something. A click puts the
 * caret where it is, after the focus.
 */
export function caretToEnd({ currentTarget: box }: Focused): void {
  const isUntouched = box.selectionStart === 0 && box.selectionEnd === 0;
  if (isUntouched) box.setSelectionRange(box.value.length, box.value.length);
}
