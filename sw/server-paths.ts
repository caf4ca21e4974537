/** Paths that the server handles itself: APIs, the protocol's channels, and pages of the identity provider. */
export const serverPaths: RegExp[] = [
  /^\/__\//,
  /^\/emulator\//,
  /^\/v0\//,
  /^\/v1\//,
  /^\/google\.firestore/,
  /^\/identitytoolkit/,
  /^\/securetoken/,
  /^\/static\//,
];
