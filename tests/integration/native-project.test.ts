import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pluginHeaders } from '../support/fakes/native-bridge.ts';
import { neededHosts } from '../support/built-app/contacted-hosts.ts';
import { parsePolicy } from '../support/built-app/content-security-policy.ts';
import {
  buildNative,
  hostedSettings,
  nativeSettings,
  readBuilt,
} from '../support/built-app/hosted-build.ts';
import { oldestBrowsers } from '../../scripts/bundle/oldest-browsers.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const [chrome = '', , safari = ''] = oldestBrowsers().map((name) => name.replace(/^[a-z]+/, ''));

/** The code that `bin/capacitor` runs after its check of the Node version, which requires Node 22. */
const command = "require('@capacitor/cli/dist/index').run()";

let folder: string;

async function cap(...args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['-e', command, 'capacitor', ...args],
    { cwd: folder },
  );
  return stdout + stderr;
}

const read = (path: string): Promise<string> => readFile(join(folder, path), 'utf8');

/** Returns the contents of the generated files that a person or the script may change. */
async function madeTexts(): Promise<readonly string[]> {
  return Promise.all(
    [
      'android/app/src/main/AndroidManifest.xml',
      'android/app/src/main/res/xml/data_extraction_rules.xml',
      'ios/App/App/Info.plist',
      'ios/App/App/AppDelegate.swift',
      'ios/App/App.xcodeproj/project.pbxproj',
    ].map(read),
  );
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pawpals-native-'));
  for (const name of ['package.json', 'capacitor.config.json']) {
    await copyFile(join(root, name), join(folder, name));
  }
  for (const name of ['node_modules', 'scripts'])
    await symlink(join(root, name), join(folder, name));
  await buildNative(join(folder, 'dist'));
  await cap('add', 'android');
  await cap('add', 'ios');
}, 180_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the Android project that the command makes', () => {
  it('requests the permissions that pictures and voice notes need, and excludes no device', async () => {
    const manifest = await read('android/app/src/main/AndroidManifest.xml');
    const permissions = [...manifest.matchAll(/<uses-permission android:name="([^"]+)"/g)];
    expect(permissions.map(([, name]) => name)).toEqual(
      ['INTERNET', 'CAMERA', 'RECORD_AUDIO', 'MODIFY_AUDIO_SETTINGS'].map(
        (name) => `android.permission.${name}`,
      ),
    );
    const features = [...manifest.matchAll(/<uses-feature [^>]*>/g)].map(([tag]) => tag);
    expect(features).toHaveLength(2);
    for (const tag of features) expect(tag).toContain('android:required="false"');
  });

  it('excludes all data from backups and transfers, and allows no plain http', async () => {
    const manifest = await read('android/app/src/main/AndroidManifest.xml');
    const [application = ''] = /<application[^>]*>/.exec(manifest) ?? [];
    expect(application).toContain('android:allowBackup="false"');
    expect(application.match(/allowBackup/g)).toHaveLength(1);
    expect(application).toContain('android:usesCleartextTraffic="false"');
    expect(application).toContain('android:dataExtractionRules="@xml/data_extraction_rules"');
    const rules = await read('android/app/src/main/res/xml/data_extraction_rules.xml');
    for (const part of ['cloud-backup', 'device-transfer']) {
      const [, excluded = ''] = new RegExp(`<${part}>(.*)</${part}>`, 's').exec(rules) ?? [];
      const domains = [...excluded.matchAll(/<exclude domain="([a-z]+)" path="\."/g)];
      expect(domains.map(([, name]) => name)).toEqual(
        expect.arrayContaining(['root', 'file', 'database', 'sharedpref', 'external']),
      );
    }
  });

  it('has the id, the name and the oldest web view of the configuration', async () => {
    const { appId, appName } = JSON.parse(await read('capacitor.config.json'));
    expect(await read('android/app/build.gradle')).toContain(`applicationId "${appId}"`);
    const strings = await read('android/app/src/main/res/values/strings.xml');
    expect(strings).toContain(`<string name="app_name">${appName}</string>`);
    const config = JSON.parse(await read('android/app/src/main/assets/capacitor.config.json'));
    expect(String(config.android.minWebViewVersion)).toBe(chrome);
    expect(config.appendUserAgent).toBe('PawPalsNative/1');
    const page = await read(`android/app/src/main/assets/public/${config.server.errorPath}`);
    expect(page).toContain(`Android System WebView: version ${chrome} or later`);
  });

  it('may share a file of the app’s cache with the app that its owner chooses', async () => {
    const manifest = await read('android/app/src/main/AndroidManifest.xml');
    expect(manifest).toContain('${applicationId}.fileprovider');
    const paths = await read('android/app/src/main/res/xml/file_paths.xml');
    expect(paths).toMatch(/<cache-path [^>]*path="\."/);
  });

  it('has each plugin that the page calls', async () => {
    const plugins = JSON.parse(await read('android/app/src/main/assets/capacitor.plugins.json'));
    const names = plugins.map(({ classpath }: { classpath: string }) =>
      classpath.split('.').at(-1),
    );
    expect(names.toSorted()).toEqual(pluginHeaders.map(({ name }) => `${name}Plugin`).toSorted());
  });
});

describe('the iOS project that the command makes', () => {
  it('gives a reason for each permission', async () => {
    const plist = await read('ios/App/App/Info.plist');
    for (const of of ['Camera', 'Microphone', 'PhotoLibrary']) {
      expect(plist).toMatch(
        new RegExp(`<key>NS${of}UsageDescription</key>\\s*<string>PawPals .+</string>`),
      );
    }
    expect(plist).toMatch(/<key>CFBundleDisplayName<\/key>\s*<string>PawPals<\/string>/);
  });

  it('excludes the web view’s data from backups at each start', async () => {
    const source = await read('ios/App/App/AppDelegate.swift');
    expect(source).toMatch(/didFinishLaunchingWithOptions[^{]*\{\s*excludeWebDataFromBackup\(\)/);
    expect(source.match(/func excludeWebDataFromBackup/g)).toHaveLength(1);
    expect(source).toContain('isExcludedFromBackup = true');
  });

  it('runs on the systems whose web view is new enough', async () => {
    const project = await read('ios/App/App.xcodeproj/project.pbxproj');
    const targets = [...project.matchAll(/IPHONEOS_DEPLOYMENT_TARGET = ([\d.]+);/g)];
    expect(new Set(targets.map(([, version]) => version))).toEqual(new Set([safari]));
  });
});

describe('a sync', () => {
  it('changes nothing in a complete project, and keeps the owner’s additions', async () => {
    const manifest = 'android/app/src/main/AndroidManifest.xml';
    const own = (await read(manifest)).replace(
      '</manifest>',
      '    <uses-permission android:name="android.permission.VIBRATE" />\n</manifest>',
    );
    await writeFile(join(folder, manifest), own);
    const before = await madeTexts();
    await cap('sync');
    expect(await madeTexts()).toEqual(before);
  });

  it('restores missing parts of a project', async () => {
    const manifest = 'android/app/src/main/AndroidManifest.xml';
    const before = await read(manifest);
    const damaged = before.replace('allowBackup="false"', 'allowBackup="true"');
    expect(damaged).not.toBe(before);
    await writeFile(join(folder, manifest), damaged);
    await cap('sync', 'android');
    expect(await read(manifest)).toBe(before);
  });

  it('refuses web files that were built for browsers', async () => {
    const page = join(folder, 'dist/index.html');
    const native = await readFile(page, 'utf8');
    await writeFile(page, native.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, ''));
    try {
      await expect(cap('sync', 'android')).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringContaining('run `npm run build:native` first'),
      });
    } finally {
      await writeFile(page, native);
    }
  });
});

describe('the build for the wrapper', () => {
  const policyOf = async (path: string) => {
    const [, content = ''] =
      /<meta http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(await read(path)) ?? [];
    return parsePolicy(content);
  };

  it('has a policy in its page, before anything that is loaded, with the hosts that it contacts', async () => {
    const page = await read('dist/index.html');
    expect(page.indexOf('http-equiv')).toBeLessThan(page.search(/<script|<link/));
    const policy = await policyOf('dist/index.html');
    const connect =
      neededHosts(await readBuilt(join(folder, 'dist'))).get('connect-src') ?? new Set();
    expect(policy.get('connect-src')?.toSorted()).toEqual(
      [
        "'self'",
        nativeSettings.VITE_APP_ORIGIN,
        ...[...connect].map((host) => `https://${host}`),
      ].toSorted(),
    );
    expect(policy.get('script-src')).toEqual(["'self'"]);
    expect(policy.get('default-src')).toEqual(["'self'"]);
    expect([...policy.values()].flat()).not.toContain("'unsafe-inline'");
    expect([...policy.keys()]).not.toContain('frame-ancestors');
  });

  it('names the missing settings', async () => {
    const empty = join(folder, 'empty');
    await mkdir(empty);
    await expect(buildNative(empty, hostedSettings)).rejects.toThrow(
      'The wrapper needs VITE_APP_ORIGIN: see docs/native.md.',
    );
    const native = { ...hostedSettings, VITE_APP_ORIGIN: 'https://pawpals.example' };
    await expect(
      buildNative(empty, { ...native, VITE_FIREBASE_STORAGE_BUCKET: '' }),
    ).rejects.toThrow('The wrapper needs VITE_FIREBASE_STORAGE_BUCKET: see docs/native.md.');
    // Before a path, a slash at the end would be a second one.
    for (const address of ['pawpals.example', 'https://pawpals.example/']) {
      const settings = { ...hostedSettings, VITE_APP_ORIGIN: address };
      await expect(buildNative(empty, settings)).rejects.toThrow(
        'VITE_APP_ORIGIN must be an address',
      );
    }
  });
});
