/** The message for a photo, in the specification's words. */
export const uploadFailed = 'Upload failed.';
