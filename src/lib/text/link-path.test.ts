import { describe, expect, it } from 'vitest';
import { linkPath } from './link-path.ts';

describe('the path of a link', () => {
  it.each([
    ['https://pawpals.example/pets/a/profile', '/pets/a/profile'],
    ['https://pawpals.example', '/'],
    [
      'https://pawpals.example/auth/set-new-password?oobCode=a%2Fb#top',
      '/auth/set-new-password?oobCode=a%2Fb',
    ],
    ['pawpals://open/quick/note?from=widget', '/quick/note?from=widget'],
    ['https://pawpals.example//evil.example/pets', '/evil.example/pets'],
    ['pawpals:\\\\evil.example', '/evil.example'],
  ])('of %s is %s', (url, path) => {
    expect(linkPath(url)).toBe(path);
  });

  it.each(['', 'pets', '/pets', 'https://', 'not a link'])('%j has none', (url) => {
    expect(linkPath(url)).toBeNull();
  });
});
