import type { KeyboardEvent } from 'react';

/** The key code of a key press that an input method has consumed; Safari sends it without `isComposing`. */
const swallowedKeyCode = 229;

/** Whether a key press sends the note. @param startsLine Enter alone starts a new line; with Ctrl or Cmd it sends. */
export function isSendKey(event: KeyboardEvent, startsLine: boolean): boolean {
  const { key, shiftKey, ctrlKey, metaKey, keyCode, nativeEvent } = event;
  if (key !== 'Enter' || nativeEvent.isComposing || keyCode === swallowedKeyCode) return false;
  return startsLine ? ctrlKey || metaKey : !shiftKey;
}
