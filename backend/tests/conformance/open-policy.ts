import type { AccessPolicy } from '../../src/firestore/access-policy.ts';

/** Whoever is signed in may do anything, but in the collection `forbidden`. */
export const openPolicy: AccessPolicy = (request) => {
  const collection =
    request.operation === 'list' ? request.query.collectionId : request.path.split('/')[0];
  return request.auth !== null && collection !== 'forbidden';
};
