import { downloadFile } from '../lib/download-file.ts';
import { isNative } from './native-platform.ts';

/**
 * The fate of a file that was handed to its owner: it is on its way, the browser wants another tap first, or there is
 * no way to save files here.
 */
export type SaveOutcome = 'saved' | 'needs-tap' | 'impossible';

/** An app on the home screen of iOS shows a download in its own window, without a way back. */
function isOnIosHomeScreen(): boolean {
  return Reflect.get(navigator, 'standalone') === true;
}

function canShare(data: ShareData): boolean {
  return 'canShare' in navigator && navigator.canShare(data);
}

function wantsTap(error: unknown): boolean {
  return error instanceof DOMException && ['NotAllowedError', 'AbortError'].includes(error.name);
}

/** @returns `needs-tap` as well if the owner has closed the sheet without saving. */
async function shareFile(data: ShareData): Promise<SaveOutcome> {
  try {
    await navigator.share(data);
    return 'saved';
  } catch (error) {
    return wantsTap(error) ? 'needs-tap' : 'impossible';
  }
}

/**
 * Hands a file to the owner: as a download, or by the system's share sheet where a download leads nowhere. The web view of
 * the Android wrapper has neither.
 */
export async function saveFile(fileName: string, content: Blob): Promise<SaveOutcome> {
  if (isNative() || isOnIosHomeScreen()) {
    const files = [new File([content], fileName, { type: content.type })];
    if (canShare({ files })) return shareFile({ files });
    if (isNative()) return 'impossible';
  }
  downloadFile(fileName, content);
  return 'saved';
}
