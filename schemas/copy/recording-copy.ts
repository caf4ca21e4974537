/** The specification's messages for recordings, word for word, and one for browsers that it does not cover. */
export const microphoneUnavailable = 'Could not access microphone.';
export const recordingUnsupported = 'This browser cannot record sound on this page.';
export const microphoneDenied = 'Microphone permission denied or unavailable.';
export const recordingNotAssembled = 'Failed to assemble recording.';
export const recordingNotStopped = 'Could not stop recording.';
export const recordingTooShort = 'Recording too short — hold for at least 1 second.';
export const transcribing = 'Transcribing your voice note… this may take a moment.';
