import { App } from '@capacitor/app';
import { linkPath } from '../../lib/text/link-path.ts';

export interface AppEvents {
  /** Called with the path of a link that the system has opened with the app. */
  readonly onLink: (path: string) => void;
  readonly onInvalidLink: () => void;
}

/**
 * Watches links and the back button. The wrapper also delivers the link that started the app, to the first listener.
 */
export async function watchApp({ onLink, onInvalidLink }: AppEvents): Promise<void> {
  await App.addListener('appUrlOpen', ({ url }) => {
    const path = linkPath(url);
    if (path === null) onInvalidLink();
    else onLink(path);
  });
  // Without a listener, Android's back button does nothing at the start of the history.
  await App.addListener('backButton', ({ canGoBack }) => {
    if (canGoBack) history.back();
    else App.minimizeApp().catch(() => undefined);
  });
}
