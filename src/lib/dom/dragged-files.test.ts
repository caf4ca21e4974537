import { expect, it } from 'vitest';
import { refuseDraggedFiles } from './dragged-files.ts';

/** Dispatches an event of a drag that carries data of this type. */
function drag(type: string, carried: string) {
  const transfer = { types: [carried], dropEffect: 'copy' };
  const event = Object.assign(new Event(type, { cancelable: true }), { dataTransfer: transfer });
  window.dispatchEvent(event);
  return { isPrevented: event.defaultPrevented, effect: transfer.dropEffect };
}

it('a file that is dragged to the page is refused, and text is left to the box below', () => {
  refuseDraggedFiles(window);
  expect(drag('dragover', 'Files')).toEqual({ isPrevented: true, effect: 'none' });
  expect(drag('drop', 'Files').isPrevented).toBe(true);
  expect(drag('dragover', 'text/plain')).toEqual({ isPrevented: false, effect: 'copy' });
  expect(drag('drop', 'text/plain').isPrevented).toBe(false);
});
