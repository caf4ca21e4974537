/** Limits of the product. Lengths are UTF-16 code units, as `String.length` and text boxes count them. */

export const petNameMaxLength = 100;
export const petDescriptionMaxLength = 2_000;
export const breedMaxLength = 100;
/** A hash in hexadecimal or base64. */
export const pictureVersionMaxLength = 64;
export const contentTypeMaxLength = 100;
export const noteTextMaxLength = 10_000;
/** The JSON of an entry's former texts. A code unit takes at most three bytes, so it fits Firestore's 1 MiB per document. */
export const formerTextsMaxLength = 250_000;
export const formerTextsKeptMs = 30 * 24 * 60 * 60 * 1_000;
/** A waveform has as many hexadecimal digits, one for each slice of the recording. */
export const waveformLength = 48;
/** The limit on the add-note page only. */
export const shortNoteMaxLength = 200;
export const searchMaxLength = 200;
/** Ids made here have 20 characters; documents of an earlier client may have longer ones. */
export const documentIdMaxLength = 128;
export const passwordMinLength = 6;
/** The limit of the identity provider. */
export const passwordMaxLength = 4_096;

/** Documents in one Firestore commit, well below its limit of 500 so that a retry stays cheap. */
export const commitMaxDocuments = 100;
/** A commit may make 20 access calls in the security rules; each pet costs up to two. */
export const commitMaxPets = 8;
/** Journal entries read and rendered at a time. */
export const feedPageSize = 50;

/** The limit of an uploaded picture or recording, as the server's security rules have it. */
export const fileMaxBytes = 10 * 1_024 * 1_024;
/** The limit of the metadata of such a file, keys and values together; the app needs a tenth. */
export const fileMetadataMaxCharacters = 1_024;
/** The limit of the cached pictures of pets, in total. */
export const pictureCacheMaxBytes = 20 * 1_024 * 1_024;
/** The longest audio that is transcribed; longer than any recording made here. */
export const transcribedMaxSeconds = 120;
/** The limit of the cached recordings, in total: about two hundred of the longest. */
export const audioCacheMaxBytes = 30 * 1_024 * 1_024;
/** The limits of one recording. */
export const recordingMinMs = 1_000;
export const recordingMaxMs = 30_000;
/** The time before the end of a recording from which the remaining seconds are shown. */
export const recordingWarningMs = 5_000;
/** The delay between the press and the recording, on a touch screen. */
export const holdDelayMs = 80;

/** The limit of an imported file, and of the content that is exported into one. */
export const exportMaxBytes = 2 * 1_024 * 1_024 * 1_024;
/** The limit of the list of pets and entries in it: some hundred thousand long notes. */
export const exportListMaxBytes = 200 * 1_024 * 1_024;
