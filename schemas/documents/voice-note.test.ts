import { describe, expect, it } from 'vitest';
import { audioExtension, audioPath, voiceNoteJobId } from './voice-note.ts';

describe('the extension of a recording', () => {
  it.each([
    ['audio/webm', 'webm'],
    ['audio/webm;codecs=opus', 'webm'],
    ['audio/webm; codecs="opus"', 'webm'],
    [' Audio/MP4 ;codecs=mp4a.40.2', 'mp4'],
    ['audio/ogg', 'ogg'],
    ['audio/mpeg', 'mp3'],
    ['audio/wav', 'wav'],
    ['audio/aac', 'aac'],
    ['audio/flac', 'flac'],
  ])('of %s is %s', (contentType, extension) => {
    expect(audioExtension(contentType)).toBe(extension);
  });

  it.each(['', ';', 'audio/', 'video/webm', 'image/png', 'audio/x-unknown', 'webm'])(
    'of %j does not exist',
    (contentType) => {
      expect(audioExtension(contentType)).toBeNull();
    },
  );
});

it('a recording has a path in the folder of its pet, as the rules of the server have it', () => {
  expect(audioPath('p1', 1_700_000_000_000, 'webm')).toBe(
    'pets/p1/audios/voice-note-1700000000000.webm',
  );
});

it('an entry has one job for its recording, with an id that no other entry has', () => {
  expect(voiceNoteJobId('e1')).toBe('voice-note:e1');
  expect(voiceNoteJobId('e2')).not.toBe(voiceNoteJobId('e1'));
});
