import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { oldestBrowsers } from '../bundle/oldest-browsers.ts';
import { completeManifest, dataExtractionRules } from './android-project.ts';
import { completeAppDelegate, completeInfoPlist, setDeploymentTarget } from './ios-project.ts';
import { hasNativePolicy } from './native-policy.ts';

async function edit(path: string, change: (text: string) => string): Promise<void> {
  const text = await readFile(path, 'utf8');
  const changed = change(text);
  if (changed !== text) await writeFile(path, changed);
}

/** Rejects a browser's build, which has no policy and no settings for the wrapper. */
async function requireNativeBuild(folder: string): Promise<void> {
  if (hasNativePolicy(await readFile(join(folder, 'index.html'), 'utf8'))) return;
  throw new Error(
    'These web files are not made for the wrapper: run `npm run build:native` first.',
  );
}

async function completeAndroid(root: string): Promise<void> {
  const main = join(root, 'android/app/src/main');
  await requireNativeBuild(join(main, 'assets/public'));
  await edit(join(main, 'AndroidManifest.xml'), completeManifest);
  await writeFile(join(main, 'res/xml/data_extraction_rules.xml'), dataExtractionRules);
}

async function completeIos(root: string): Promise<void> {
  const app = join(root, 'ios/App');
  await requireNativeBuild(join(app, 'App/public'));
  await edit(join(app, 'App/Info.plist'), completeInfoPlist);
  await edit(join(app, 'App/AppDelegate.swift'), completeAppDelegate);
  const safari = oldestBrowsers().find((name) => name.startsWith('safari')) ?? '';
  await edit(join(app, 'App.xcodeproj/project.pbxproj'), (project) =>
    setDeploymentTarget(project, safari.replace('safari', '')),
  );
}

/**
 * Completes a native project from Capacitor's CLI as docs/native.md describes.
 *
 * - Idempotent: it runs after each copy of the web files and after each sync.
 * - Its owner's additions stay.
 * @throws with a message if it does not recognize the project or the build of the app.
 */
export async function completeNativeProject(root: string, platform: string): Promise<void> {
  if (platform === 'android') await completeAndroid(root);
  if (platform === 'ios') await completeIos(root);
}
