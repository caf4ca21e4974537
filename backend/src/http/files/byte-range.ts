/**
 * Parses a single range of bytes, as media players request it. Returns null to serve the whole contents: without a header,
 * for several ranges, an unknown unit, or empty contents. The position of the last byte, `end`, is inclusive.
 */
export function parseByteRange(header: string | undefined, size: number) {
  const match = /^bytes=(\d*)-(\d*)$/i.exec(header?.replaceAll(' ', '') ?? '');
  const [, first = '', last = ''] = match ?? [];
  if (size === 0 || (first === '' && last === '')) return null;
  if (first === '') {
    const length = Number(last);
    return length === 0 ? 'unsatisfiable' : { start: Math.max(0, size - length), end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return null;
  return start >= size ? 'unsatisfiable' : { start, end };
}
