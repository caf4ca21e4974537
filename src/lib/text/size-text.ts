const units = ['kB', 'MB', 'GB', 'TB'];

/** Returns a size as "0 kB", "3.4 MB" or "120 GB". */
export function sizeText(bytes: number): string {
  let size = bytes / 1_000;
  let unit = 0;
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1_000;
    unit += 1;
  }
  const digits = unit > 0 && size < 9.95 ? 1 : 0;
  return `${size.toFixed(digits)} ${units[unit] ?? ''}`;
}
