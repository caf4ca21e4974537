const maxLength = 60;
/** Names that mean a device to Windows. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/** A name for a folder that every system takes, as close to what it is named after as that allows. */
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

/** Gives names out, each once; upper and lower case are one to many systems. */
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
