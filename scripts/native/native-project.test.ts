import { describe, expect, it } from 'vitest';
import { completeManifest } from './android-project.ts';
import { completeAppDelegate, completeInfoPlist } from './ios-project.ts';
import { hasNativePolicy, nativePolicy, withPolicy } from './native-policy.ts';

describe('a project that Capacitor makes in another way than today', () => {
  it.each([
    ['a manifest without an application', () => completeManifest('<manifest></manifest>')],
    ['a property list without an end', () => completeInfoPlist('<plist><dict>')],
    [
      'a delegate that does nothing at the start',
      () => completeAppDelegate('class AppDelegate {}'),
    ],
  ])('is refused: %s', (_name, complete) => {
    expect(complete).toThrow('The native project has changed');
  });
});

it('an owner’s own reason for a permission stays', () => {
  const own = '<key>NSCameraUsageDescription</key>\n<string>Mine.</string>\n';
  const completed = completeInfoPlist(`<plist><dict>\n${own}</dict>\n</plist>\n`);
  expect(completed).toContain(own);
  expect(completed.match(/NSCameraUsageDescription/g)).toHaveLength(1);
  expect(completed).toContain('NSMicrophoneUsageDescription');
});

describe('the policy in the page of the wrapper', () => {
  const hosted =
    "default-src 'self'; script-src 'self' https://apis.google.com; connect-src 'self' https://a.example; frame-src https://*.b.example; frame-ancestors 'none'";

  it('has the hosts of the hosted one and the app’s address, no other scripts, and nothing for headers only', () => {
    expect(nativePolicy(hosted, ['https://pawpals.example'])).toBe(
      "default-src 'self'; script-src 'self'; connect-src 'self' https://a.example https://pawpals.example",
    );
  });

  it('lies behind the charset, and is found there', () => {
    const page = withPolicy(
      '<head><meta charset="utf-8" /><title>x</title></head>',
      "default-src 'self'",
    );
    expect(page).toMatch(
      /^<head><meta charset="utf-8" \/>\s*<meta http-equiv="Content-Security-Policy" content="default-src 'self'" \/><title>/,
    );
    expect(hasNativePolicy(page)).toBe(true);
    expect(hasNativePolicy('<head></head>')).toBe(false);
    expect(() => withPolicy('<head></head>', '')).toThrow('The page names no charset.');
  });
});
