/** The beginnings of the paths of APIs, of the protocol's channels, and of the identity provider's pages. */
export const apiPrefixes: readonly string[] = [
  '/__/',
  '/api/',
  '/emulator/',
  '/v0/',
  '/v1/',
  '/google.firestore',
  '/identitytoolkit',
  '/securetoken',
];
