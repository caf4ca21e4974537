/** The text that the wrapper appends to the user agent (capacitor.config.json). */
const wrapperMark = /\b(?:Android|iPhone|iPad|iPod)\b.*\bPawPalsNative\//;

interface Bridge {
  readonly isNativePlatform?: () => boolean;
}

/**
 * Whether the page runs in the native wrapper and not in a browser. The wrapper's bridge tells; before it exists, the
 * user agent does. No code of Capacitor is loaded for this.
 */
export function isNative(): boolean {
  const bridge: unknown = Reflect.get(window, 'Capacitor');
  if (typeof bridge === 'object' && bridge !== null) {
    // Another script's bridge may lack the method.
    const { isNativePlatform }: Bridge = bridge;
    if (typeof isNativePlatform === 'function') return isNativePlatform();
  }
  return wrapperMark.test(navigator.userAgent);
}
