const maxLength = 60;
/** Names that Windows reserves for devices. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/** Returns a folder name that every system accepts, as close to the given name as possible. */
export function folderName(name: string, otherwise: string): string {
  const letters = name
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{M}\p{N}' -]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const short = Array.from(letters).slice(0, maxLength).join('').trim();
  if (!/[\p{L}\p{N}]/u.test(short)) return otherwise;
  return reserved.test(short) ? `${short}-` : short;
}

/** Returns a function that makes names unique, ignoring case, as many systems do. */
export function createNames(): (wanted: string) => string {
  const taken = new Set<string>();
  return (wanted) => {
    let name = wanted;
    for (let count = 2; taken.has(name.toLowerCase()); count += 1)
      name = `${wanted} ${String(count)}`;
    taken.add(name.toLowerCase());
    return name;
  };
}
