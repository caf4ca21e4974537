import type { SignedInUser } from '../../../schemas/forms/account.ts';

export function userName(user: SignedInUser | null): string {
  const names = [user?.displayName, user?.email];
  return (
    names.find((name) => typeof name === 'string' && name.trim() !== '') ?? 'Display name not set'
  );
}
