import { useEffect } from 'react';

/** Names the tab after the page, while it is shown. */
export function useDocumentTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = title === '' ? 'PawPals' : `${title} · PawPals`;
  }, [title]);
}
