import { isNative } from '../native-platform.ts';

/** Whether the app is installed or native, so that a sign-in outlives its closing. */
export function isInstalled(): boolean {
  // Safari on iOS reports it in a property of its own.
  const isOnHomeScreen = Reflect.get(navigator, 'standalone') === true;
  return isNative() || isOnHomeScreen || matchMedia('(display-mode: standalone)').matches;
}
