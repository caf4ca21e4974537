import { useEffect, useEffectEvent, useState } from 'react';
import { hasFiles } from '../../../lib/dom/dragged-files.ts';

/**
 * Accepts a file that is dropped anywhere on the page, or pasted.
 * @returns true while a file is dragged over the page.
 */
export function useOfferedFile(onFile: (file: File) => void): boolean {
  const [isOver, setIsOver] = useState(false);

  const accept = useEffectEvent((event: Event, offered: DataTransfer | null) => {
    const file = offered?.files[0];
    if (file === undefined) return;
    event.preventDefault();
    onFile(file);
  });

  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const over = (event: DragEvent): void => {
      if (event.dataTransfer === null || !hasFiles(event)) return;
      event.dataTransfer.dropEffect = 'copy';
      setIsOver(true);
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setIsOver(false);
    };
    const drop = (event: DragEvent): void => {
      setIsOver(false);
      accept(event, event.dataTransfer);
    };
    window.addEventListener('dragover', over, { signal });
    window.addEventListener('dragleave', leave, { signal });
    window.addEventListener('drop', drop, { signal });
    window.addEventListener('paste', (event) => accept(event, event.clipboardData), { signal });
    return () => ending.abort();
  }, []);

  return isOver;
}
