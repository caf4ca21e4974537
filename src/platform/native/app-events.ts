import { App } from '@capacitor/app';
import { linkPath } from '../../lib/text/link-path.ts';

export interface AppEvents {
  /** @param path where a link leads that the system gave to the app. */
  readonly onLink: (path: string) => void;
  readonly onInvalidLink: () => void;
}

/** Also tells of the link that the app was started by: the wrapper keeps it until somebody listens. */
export async function watchApp({ onLink, onInvalidLink }: AppEvents): Promise<void> {
  await App.addListener('appUrlOpen', ({ url }) => {
    const path = linkPath(url);
    if (path === null) onInvalidLink();
    else onLink(path);
  });
  // Without a listener, Android's button does nothing where there is no step back.
  await App.addListener('backButton', ({ canGoBack }) => {
    if (canGoBack) history.back();
    else App.minimizeApp().catch(() => undefined);
  });
}
