import { useEffect } from 'react';

/** Sets the title of the tab while the page is shown. */
export function useDocumentTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = title === '' ? 'PawPals' : `${title} · PawPals`;
  }, [title]);
}
