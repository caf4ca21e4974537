/** Where somebody wanted to go before being asked to sign in; for this tab only. */
const key = 'pawpals.origin';

const homePath = '/pets';

function isPathOfOurs(path: string): boolean {
  return path.startsWith('/') && !path.startsWith('//') && !path.startsWith('/auth/');
}

export function rememberOrigin(path: string): void {
  try {
    sessionStorage.setItem(key, path);
  } catch {
    // Without storage one lands on the list of dogs, which is no harm.
  }
}

export function readOrigin(): string {
  try {
    const path = sessionStorage.getItem(key);
    return path !== null && isPathOfOurs(path) ? path : homePath;
  } catch {
    return homePath;
  }
}

/** A new account has none of the dogs that an address may name. */
export function forgetOriginOfPet(): void {
  if (readOrigin().startsWith(`${homePath}/`)) forgetOrigin();
}

export function forgetOrigin(): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Nothing was stored then.
  }
}
