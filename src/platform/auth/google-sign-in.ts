import {
  GoogleAuthProvider,
  browserPopupRedirectResolver,
  signInWithPopup,
  type Auth,
  type UserCredential,
} from 'firebase/auth';
import { installGapiStub } from './gapi-stub.ts';

/**
 * Google's sign-in. Its code loads ahead of the press: a browser allows a popup only shortly after a click, so screens
 * with the button request the code before.
 */
export interface GoogleSignIn {
  /** Opens the window. @param onClosed is called when it has closed, while the result may still be in flight. */
  signIn(onClosed: () => void): Promise<UserCredential>;
}

interface GooglePopupOptions {
  readonly auth: Auth;
  /** Whether the app's own server, or an emulator, serves the account chooser, which needs no script of Google's. */
  readonly hasOwnChooser: boolean;
}

const lookMs = 200;

/**
 * Detects that the window has closed. The SDK reports that up to 10 s later, because the result may still be in flight,
 * and gives no access to the window, which it opens with `window.open`.
 * @returns a function that stops watching.
 */
function watchNextWindow(onClosed: () => void): () => void {
  const open = window.open.bind(window);
  let timer: ReturnType<typeof setInterval> | undefined;
  const stop = (): void => {
    window.open = open;
    clearInterval(timer);
  };
  window.open = (...args) => {
    stop();
    const opened = open(...args);
    timer = setInterval(() => {
      if (opened?.closed !== true) return;
      stop();
      onClosed();
    }, lookMs);
    return opened;
  };
  return stop;
}

export function openGooglePopup(options: GooglePopupOptions): GoogleSignIn {
  const { auth, hasOwnChooser } = options;
  if (hasOwnChooser) installGapiStub();
  const provider = new GoogleAuthProvider();
  provider.setCustomParameters({ prompt: 'select_account' });
  return {
    signIn: (onClosed) => {
      const stop = watchNextWindow(onClosed);
      return signInWithPopup(auth, provider, browserPopupRedirectResolver).finally(stop);
    },
  };
}
