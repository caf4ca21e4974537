/** A browser may ask the owner first where to put the file, and reads the bytes only then. */
const keptForMs = 60_000;

/** Hands bytes to the owner as a file. */
export function downloadFile(fileName: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), keptForMs);
}
