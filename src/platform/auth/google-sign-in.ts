import {
  GoogleAuthProvider,
  browserPopupRedirectResolver,
  signInWithPopup,
  type Auth,
  type UserCredential,
} from 'firebase/auth';

/**
 * Google's popup. Loaded with the first use of Google: a browser opens popups for a moment after a click only, so screens
 * that offer the button ask for this code before it is pressed.
 */
export interface GoogleSignIn {
  /** @param onClosed the window is closed, and the answer may still be on its way. */
  signIn(onClosed: () => void): Promise<UserCredential>;
}

interface GooglePopupOptions {
  readonly auth: Auth;
  /** A server of our own, or an emulator, serves the account chooser and needs no script of Google's. */
  readonly hasOwnChooser: boolean;
}

const lookMs = 200;

/**
 * The SDK tells of a closed window up to 10 s later, because an answer may still be on its way. It opens the window with
 * `window.open`, and hands it to nobody.
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

export async function openGooglePopup(options: GooglePopupOptions): Promise<GoogleSignIn> {
  const { auth, hasOwnChooser } = options;
  if (hasOwnChooser) {
    const { installGapiStub } = await import('./gapi-stub.ts');
    installGapiStub();
  }
  const provider = new GoogleAuthProvider();
  provider.setCustomParameters({ prompt: 'select_account' });
  return {
    signIn: (onClosed) => {
      const stop = watchNextWindow(onClosed);
      return signInWithPopup(auth, provider, browserPopupRedirectResolver).finally(stop);
    },
  };
}
