import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { noteTextMaxLength } from './limits.ts';
import {
  petOfAudio,
  transcribeAnswerSchema,
  transcribeErrorSchema,
  transcribeRefusals,
  transcribeRequestSchema,
  transcriptAfter,
} from './transcription.ts';

const location = 'pets/p1/audios/voice-note-1.webm';
const isRequest = (request: object): boolean =>
  v.safeParse(transcribeRequestSchema, request).success;

describe('a request for a transcript', () => {
  it('names a recording, and may name a language', () => {
    expect(isRequest({ fileLocation: location })).toBe(true);
    expect(isRequest({ fileLocation: location, language: 'de-CH' })).toBe(true);
    expect(isRequest({ fileLocation: location, language: 'x'.repeat(35) })).toBe(true);
    expect(isRequest({ fileLocation: location, language: 'x'.repeat(36) })).toBe(false);
  });

  it.each([
    '',
    'pets/p1/images/profile.jpg',
    'pets/p1/audios/',
    'pets//audios/a.webm',
    'pets/p1/audios/a/b.webm',
    'pets/p1/x/audios/a.webm',
    '/pets/p1/audios/a.webm',
    `${location}/`,
    `pets/${'x'.repeat(129)}/audios/a.webm`,
    `pets/p1/audios/${'x'.repeat(1_024)}`,
    7,
  ])('is refused for %j', (fileLocation) => {
    expect(isRequest({ fileLocation })).toBe(false);
  });
});

describe('the pet of a recording', () => {
  it('is named in the path', () => {
    expect(petOfAudio(location)).toBe('p1');
    expect(petOfAudio(`pets/${'x'.repeat(128)}/audios/a`)).toBe('x'.repeat(128));
  });

  it.each(['', 'pets/p1', 'pets/p1/images/a.jpg', 'x/pets/p1/audios/a.webm'])(
    'is not in %j',
    (path) => {
      expect(petOfAudio(path)).toBeNull();
    },
  );
});

describe('the state of a transcript', () => {
  it('is done after words, and rough after those of a small recognizer', () => {
    expect(transcriptAfter({ text: 'Ducks', rough: false })).toBe('done');
    expect(transcriptAfter({ text: 'Ducks', rough: true })).toBe('rough');
  });

  it('is none if nobody spoke, also by a small recognizer', () => {
    for (const text of ['', ' \n'])
      for (const rough of [false, true]) expect(transcriptAfter({ text, rough })).toBe('none');
  });

  it('is unheard if the server makes no transcripts', () => {
    expect(transcriptAfter(null)).toBe('unheard');
  });
});

describe('an answer', () => {
  it('is not rough unless it says so', () => {
    expect(v.parse(transcribeAnswerSchema, { text: 'a' })).toEqual({ text: 'a', rough: false });
    expect(v.parse(transcribeAnswerSchema, { text: 'a', rough: true }).rough).toBe(true);
  });

  it('is refused if it is longer than a note, or no text', () => {
    const isAnswer = (answer: object): boolean =>
      v.safeParse(transcribeAnswerSchema, answer).success;
    expect(isAnswer({ text: 'x'.repeat(noteTextMaxLength) })).toBe(true);
    expect(isAnswer({ text: 'x'.repeat(noteTextMaxLength + 1) })).toBe(false);
    expect(isAnswer({})).toBe(false);
    expect(isAnswer({ text: 'a', rough: 'yes' })).toBe(false);
  });
});

describe('a refusal', () => {
  it('has a code and a message for developers', () => {
    const body = { error: { code: 'too-many', message: 'Later.' } };
    expect(v.parse(transcribeErrorSchema, body)).toEqual(body);
    expect(v.safeParse(transcribeErrorSchema, { error: { code: 'too-many' } }).success).toBe(false);
    expect(v.safeParse(transcribeErrorSchema, { error: 'too-many' }).success).toBe(false);
    expect(v.safeParse(transcribeErrorSchema, {}).success).toBe(false);
  });

  it('is a status of the client’s or the server’s fault', () => {
    for (const status of Object.values(transcribeRefusals)) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(600);
    }
  });
});
