/** A browser may ask the owner first where to put the file, and reads the bytes only then. */
const keptForMs = 60_000;

/** Hands a value to the owner as a file. */
export function downloadJson(fileName: string, value: unknown): void {
  const blob = new Blob([JSON.stringify(value, null, 2)], { type: 'application/json' });
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), keptForMs);
}
