import { recordingNotAssembled } from '../../../schemas/copy/recording-copy.ts';

/** The sentences that tell the owner why a voice note could not be found, stored or transcribed. */
export const voiceSentences = {
  deviceFull:
    'Your device has no room for a recording. Free some space and try again; everything that was kept is still there.',
  unknownType: 'This is a kind of sound that other devices could not play.',
  notAssembled: recordingNotAssembled,
  notChanged: 'This could not be stored on your device. Free some space and try again.',
  notRead: 'This device could not read the recording. Reload and try again.',
  gone: 'This recording is not waiting any more',
  elsewhere:
    'The recording is not on the server yet. The device that made it may have it, or an export from there.',
  notOnServer: 'The recording is not on the server any more.',
  needsConnection: 'This recording is not on this device. Playing it needs a connection.',
  notHeardYet: 'Its text could not be made now. It follows by itself.',
  noTexts: 'This server makes no texts of recordings.',
  rough: 'This text is rough: a small recognizer made it, and it is often wrong.',
  keptForLater: 'Kept as a voice note.',
  recording: 'Recording',
  discarded: 'Recording discarded',
  notSignedIn: 'Not signed in',
} as const;
