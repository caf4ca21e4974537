import { insertBefore } from './edited-text.ts';

/** The reasons that iOS shows when it asks for a permission; without one it terminates the app. */
const reasons: ReadonlyMap<string, string> = new Map([
  ['NSCameraUsageDescription', 'PawPals takes pictures of your dogs.'],
  ['NSMicrophoneUsageDescription', 'PawPals records voice notes.'],
  ['NSPhotoLibraryUsageDescription', 'PawPals shows the pictures of your dogs that you choose.'],
]);

/** Adds the missing reasons; an existing one stays as it is. */
export function completeInfoPlist(plist: string): string {
  let completed = plist;
  for (const [key, sentence] of reasons) {
    if (completed.includes(`<key>${key}</key>`)) continue;
    const entry = `\t<key>${key}</key>\n\t<string>${sentence}</string>\n`;
    completed = insertBefore(completed, /<\/dict>\s*<\/plist>/, entry);
  }
  return completed;
}

const exclusionMark = 'excludeWebDataFromBackup';

/** WebKit may recreate the folder without the mark, so the mark is set at each start. */
const exclusion = `
/// Keeps what the web view stores out of backups of the device; PawPals has it in its own cloud.
private func ${exclusionMark}() {
    guard let library = FileManager.default.urls(for: .libraryDirectory, in: .userDomainMask).first else { return }
    var folder = library.appendingPathComponent("WebKit", isDirectory: true)
    var values = URLResourceValues()
    values.isExcludedFromBackup = true
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try? folder.setResourceValues(values)
}
`;

export function completeAppDelegate(source: string): string {
  if (source.includes(exclusionMark)) return source;
  const inLaunch = /(?<=didFinishLaunchingWithOptions[^{]*\{)\s*\n/;
  return `${insertBefore(source, inLaunch, `\n        ${exclusionMark}()`)}${exclusion}`;
}

/** @param oldest the oldest Safari version: a web view has that of its system. */
export function setDeploymentTarget(project: string, oldest: string): string {
  return project.replaceAll(
    /IPHONEOS_DEPLOYMENT_TARGET = [\d.]+;/g,
    `IPHONEOS_DEPLOYMENT_TARGET = ${oldest};`,
  );
}
