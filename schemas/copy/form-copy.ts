/** The specification's messages, word for word, and those that the offline-first behaviour adds. */

export const petNameRequired = 'Pet name is required';
export const petNameTooLong = 'A name can have at most 100 characters';
export const noteRequired = 'Note is required';
export const noteTooLong = 'A note can have at most 10,000 characters';
export const descriptionTooLong = 'A description can have at most 2,000 characters';

export const emailRequired = 'Email is required';
export const notAnEmail = 'This does not look like an email address.';
export const passwordRequired = 'Password is required';
export const passwordRule =
  'Must be at least 6 characters and include uppercase, lowercase, number, and special character';
export const passwordTooLong = 'A password can have at most 4,096 characters';
export const confirmPasswordRequired = 'Please confirm your password';
export const passwordsDiffer = 'Passwords do not match';
export const resetEmailSent = 'Password reset email sent.';
export const resetCodeMissing = 'Invalid or missing reset code';
export const noUserSignedIn = 'No user is signed in.';

export const uploadFailed = 'Upload failed.';
export const petNotFound = 'This dog is not on this device';
export const petDeleted = 'This dog was deleted';
export const journalEntryNotFound = 'Journal entry not found';
export const somethingWentWrong = 'Something went wrong.';
