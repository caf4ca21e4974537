/** Of a dog that was never fetched, was deleted, or is somebody else's. */
export const notHere = 'This dog is not on this device';
