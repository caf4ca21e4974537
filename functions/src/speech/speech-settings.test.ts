import { describe, expect, it } from 'vitest';
import { readSpeechSettings, SpeechSettingsError } from './speech-settings.ts';

describe('the settings of speech', () => {
  it.each([
    [{}, { engine: 'none' }],
    [{ PAWPALS_SPEECH_ENGINE: ' ' }, { engine: 'none' }],
    [{ PAWPALS_SPEECH_ENGINE: 'pocketsphinx' }, { engine: 'pocketsphinx' }],
    [
      { PAWPALS_SPEECH_ENGINE: 'whisper', PAWPALS_SPEECH_MODEL: 'onnx-community/whisper-tiny' },
      { engine: 'whisper', model: 'onnx-community/whisper-tiny' },
    ],
    [
      {
        PAWPALS_SPEECH_ENGINE: 'google',
        GOOGLE_CLOUD_PROJECT: 'my-dogs',
        PAWPALS_SPEECH_LOCATION: 'eu',
      },
      { engine: 'google', projectId: 'my-dogs', location: 'eu' },
    ],
    [
      {
        PAWPALS_SPEECH_ENGINE: 'openai',
        PAWPALS_SPEECH_URL: 'http://localhost:8000',
        PAWPALS_SPEECH_KEY: 'key',
      },
      { engine: 'openai', url: 'http://localhost:8000', apiKey: 'key' },
    ],
  ])('of %j are %j', (env, settings) => {
    expect(readSpeechSettings(env, 'none')).toEqual(settings);
  });

  it('have another default in the cloud, which says the project by itself', () => {
    expect(readSpeechSettings({ GCLOUD_PROJECT: 'my-dogs' }, 'google')).toEqual({
      engine: 'google',
      projectId: 'my-dogs',
    });
  });

  it.each([
    [{ PAWPALS_SPEECH_ENGINE: 'siri' }, 'must be google, openai'],
    [{ PAWPALS_SPEECH_ENGINE: 'openai' }, 'needs PAWPALS_SPEECH_URL'],
    [
      { PAWPALS_SPEECH_ENGINE: 'openai', PAWPALS_SPEECH_URL: 'localhost' },
      'needs PAWPALS_SPEECH_URL',
    ],
    [{ PAWPALS_SPEECH_ENGINE: 'google' }, 'needs GOOGLE_CLOUD_PROJECT'],
  ])('%j are refused with a sentence', (env, sentence) => {
    const read = () => readSpeechSettings(env, 'none');
    expect(read).toThrow(SpeechSettingsError);
    expect(read).toThrow(sentence);
  });
});
