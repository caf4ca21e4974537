/** Hands a value to the owner as a file. */
export function downloadJson(fileName: string, value: unknown): void {
  const blob = new Blob([JSON.stringify(value, null, 2)], { type: 'application/json' });
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // The browser has taken the bytes by the time the next task runs.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
