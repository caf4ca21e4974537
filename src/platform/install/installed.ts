import { isNative } from '../native-platform.ts';

/** Whether this is an app of its own on the device, installed or native: a sign-in then outlives being closed. */
export function isInstalled(): boolean {
  // Safari on iOS says it in a property of its own.
  const isOnHomeScreen = Reflect.get(navigator, 'standalone') === true;
  return isNative() || isOnHomeScreen || matchMedia('(display-mode: standalone)').matches;
}
