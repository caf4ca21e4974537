/**
 * Returns a ref that keeps a length of its element as a property of the page, for styles elsewhere, until the element is
 * gone.
 * @param measure returns pixels.
 */
export function pageProperty(name: string, measure: (element: HTMLElement) => number) {
  return (element: HTMLElement): (() => void) => {
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => {
      style.setProperty(name, `${String(measure(element))}px`);
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      style.removeProperty(name);
    };
  };
}
