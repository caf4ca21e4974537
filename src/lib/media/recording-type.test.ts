import { describe, expect, it } from 'vitest';
import { isWebKitAgent, recordingType } from './recording-type.ts';

const all = () => true;

describe('the type of a recording', () => {
  it('is webm before mp4 before ogg, and mp4 first on WebKit', () => {
    expect(recordingType({ isSupported: all, isWebKit: false })).toBe('audio/webm;codecs=opus');
    expect(recordingType({ isSupported: all, isWebKit: true })).toBe('audio/mp4;codecs=mp4a.40.2');
  });

  it('is the first that the browser can record', () => {
    const only = (type: string) => ({ isSupported: (asked: string) => asked === type });
    for (const type of ['audio/mp4', 'audio/ogg;codecs=opus', 'audio/webm']) {
      expect(recordingType({ ...only(type), isWebKit: false })).toBe(type);
      expect(recordingType({ ...only(type), isWebKit: true })).toBe(type);
    }
    expect(recordingType({ isSupported: () => false, isWebKit: false })).toBeNull();
  });

  it.each([
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) AppleWebKit/605.1.15 Version/18.4 Mobile/15E148 Safari/604.1',
      true,
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) AppleWebKit/605.1.15 CriOS/140.0 Mobile/15E148 Safari/604.1',
      true,
    ],
    ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36', false],
    ['Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36', false],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', false],
  ])('knows WebKit: %s', (agent, isWebKit) => {
    expect(isWebKitAgent(agent)).toBe(isWebKit);
  });
});
