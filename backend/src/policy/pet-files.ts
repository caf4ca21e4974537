import type { StorageAccessPolicy } from '../storage/access-policy.ts';

/**
 * - Files lie under the pet they belong to, `pets/{petId}/...`, and are their owner's alone.
 * - Whatever is not allowed here is refused; nobody does anything without being signed in.
 */
export const createPetFilesPolicy =
  (ownerOfPet: (petId: string) => string | null): StorageAccessPolicy =>
  ({ auth, path }) => {
    const [root, petId = '', ...rest] = path.split('/');
    if (auth === null || root !== 'pets' || petId === '') return false;
    return rest.every((part) => part !== '') && ownerOfPet(petId) === auth.uid;
  };
