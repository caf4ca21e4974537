export function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') === true;
}

/**
 * Refuses files that are dragged over the page, unless a later listener accepts them: the browser would open a dropped
 * file, and leave the app in the middle of a note or a recording.
 */
export function refuseDraggedFiles(page: Window): void {
  page.addEventListener('dragover', (event) => {
    if (event.dataTransfer === null || !hasFiles(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'none';
  });
  // Not every browser minds the effect.
  page.addEventListener('drop', (event) => {
    if (hasFiles(event)) event.preventDefault();
  });
}
