/** Of the specification, for a photo. */
export const uploadFailed = 'Upload failed.';
