/** The address that a visitor wanted to open before the sign-in; it is stored for this tab only. */
const key = 'pawpals.origin';

const homePath = '/pets';

function isPathOfOurs(path: string): boolean {
  return path.startsWith('/') && !path.startsWith('//') && !path.startsWith('/auth/');
}

export function rememberOrigin(path: string): void {
  try {
    sessionStorage.setItem(key, path);
  } catch {
    // Without storage the sign-in leads to the list of dogs, which is harmless.
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

/** Forgets an address that names a dog, which a new account cannot have. */
export function forgetOriginOfPet(): void {
  if (readOrigin().startsWith(`${homePath}/`)) forgetOrigin();
}

export function forgetOrigin(): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Without storage there is nothing to forget.
  }
}
