import type { SaveOptions, SaveOutcome } from '../lib/dom/saved-file.ts';
import { isNative } from './native-platform.ts';

/**
 * The time before the address is revoked. A browser may first ask the owner for a place, and reads the bytes only then.
 */
const keptForMs = 60_000;

function downloadFile(file: File): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), keptForMs);
}

/** Whether the app runs from the home screen of iOS, which shows a download in its own window, without a way back. */
function isOnIosHomeScreen(): boolean {
  return Reflect.get(navigator, 'standalone') === true;
}

function canShare(data: ShareData): boolean {
  return 'canShare' in navigator && navigator.canShare(data);
}

const outcomes: ReadonlyMap<string, SaveOutcome> = new Map([
  ['NotAllowedError', 'needs-tap'],
  ['AbortError', 'cancelled'],
]);

async function shareFile(data: ShareData): Promise<SaveOutcome> {
  try {
    await navigator.share(data);
    return 'shared';
  } catch (error) {
    return (error instanceof DOMException && outcomes.get(error.name)) || 'failed';
  }
}

/**
 * Saves a file as a download, or through the system's share sheet where a download is useless. The web views of the
 * native wrapper have neither, so its plugins do it.
 */
export async function saveFile(file: File, options: SaveOptions = {}): Promise<SaveOutcome> {
  if (isNative()) {
    const { shareNatively } = await import('./native/share-file.ts');
    return shareNatively(file, options);
  }
  const data = { files: [file] };
  if (isOnIosHomeScreen() && canShare(data)) return shareFile(data);
  downloadFile(file);
  return 'saved';
}
