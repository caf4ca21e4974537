import { flushSync } from 'react-dom';

/**
 * Makes a change that appends to the text of the box with the focus, and leaves the caret in the word that its owner is
 * writing: a text that is set from outside would move it to the end.
 */
export function keepCaret(change: () => void): void {
  const box = document.activeElement;
  const isWriting = box instanceof HTMLTextAreaElement && /\S$/.test(box.value);
  if (!isWriting) {
    change();
    return;
  }
  const { selectionStart, selectionEnd } = box;
  flushSync(change);
  box.setSelectionRange(selectionStart, selectionEnd);
}
