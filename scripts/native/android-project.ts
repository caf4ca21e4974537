import { insertBefore } from './edited-text.ts';

/** The camera is for pictures; the web view requests the other two before it opens the microphone. */
const permissions = ['CAMERA', 'RECORD_AUDIO', 'MODIFY_AUDIO_SETTINGS'];

/** Without these entries a hardware permission would exclude devices that lack the hardware. */
const optionalHardware = ['android.hardware.camera', 'android.hardware.microphone'];

const applicationAttributes: ReadonlyMap<string, string> = new Map([
  ['allowBackup', 'false'],
  ['dataExtractionRules', '@xml/data_extraction_rules'],
  // The default up to Android 8.1 is true.
  ['usesCleartextTraffic', 'false'],
]);

const domains = ['root', 'file', 'database', 'sharedpref', 'external'];
const excluded = domains.map((domain) => `    <exclude domain="${domain}" path="." />`).join('\n');

/** From Android 12 on `allowBackup` no longer covers a transfer to a new device; these rules do. */
export const dataExtractionRules = `<?xml version="1.0" encoding="utf-8"?>
<data-extraction-rules>
  <cloud-backup>
${excluded}
  </cloud-backup>
  <device-transfer>
${excluded}
  </device-transfer>
</data-extraction-rules>
`;

function setApplicationAttribute(manifest: string, name: string, value: string): string {
  const attribute = `android:${name}="${value}"`;
  const existing = new RegExp(`(<application\\b[^>]*?)android:${name}="[^"]*"`);
  if (existing.test(manifest)) return manifest.replace(existing, `$1${attribute}`);
  return insertBefore(manifest, /(?<=<application)\s/, `\n        ${attribute}`);
}

/** Adds the entries that the app needs and the manifest lacks; other entries stay as they are. */
export function completeManifest(manifest: string): string {
  let completed = manifest;
  for (const [name, value] of applicationAttributes) {
    completed = setApplicationAttribute(completed, name, value);
  }
  const elements = [
    ...permissions.map((name) => `<uses-permission android:name="android.permission.${name}" />`),
    ...optionalHardware.map(
      (name) => `<uses-feature android:name="${name}" android:required="false" />`,
    ),
  ];
  for (const element of elements) {
    const [, name = ''] = /android:name="([^"]+)"/.exec(element) ?? [];
    if (completed.includes(`android:name="${name}"`)) continue;
    completed = insertBefore(completed, /<\/manifest>/, `    ${element}\n`);
  }
  return completed;
}
