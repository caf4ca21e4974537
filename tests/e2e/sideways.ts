import type { Page } from 'playwright/test';

/** Returns up to four elements that scroll sideways or lie outside the page; none if all is well. */
export async function sidewaysOverflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    for (const element of document.querySelectorAll('body, body *')) {
      const { overflowX } = getComputedStyle(element);
      const scrolls = overflowX === 'auto' || overflowX === 'scroll' || element === document.body;
      const box = element.getBoundingClientRect();
      const isShown = box.width > 1 && box.height > 1;
      const isOutside = isShown && (box.right > window.innerWidth + 1 || box.left < -1);
      if ((scrolls && element.scrollWidth > element.clientWidth + 1) || isOutside) {
        found.push(`${element.tagName} ${element.className} ${element.textContent.slice(0, 30)}`);
      }
    }
    return found.slice(0, 4);
  });
}
