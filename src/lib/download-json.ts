import { downloadFile } from './download-file.ts';

/** Hands a value to the owner as a file. */
export function downloadJson(fileName: string, value: unknown): void {
  downloadFile(fileName, new Blob([JSON.stringify(value, null, 2)], { type: 'application/json' }));
}
