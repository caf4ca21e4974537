/** Ids of WebM's elements, each with an id, a size and a body: https://www.rfc-editor.org/rfc/rfc9559 */
const ids = {
  segment: 0x18538067,
  seekHead: 0x114d9b74,
  info: 0x1549a966,
  duration: 0x4489,
  cluster: 0x1f43b675,
  clusterTime: 0xe7,
  blockGroup: 0xa0,
  block: 0xa1,
  simpleBlock: 0xa3,
  cues: 0x1c53bb6b,
  cuePoint: 0xbb,
  cueTime: 0xb3,
  cuePositions: 0xb7,
  cueTrack: 0xf7,
  cueCluster: 0xf1,
} as const;

/** The id of a segment and a size that says that it is unknown. */
const openSegment = new Uint8Array([0x18, 0x53, 0x80, 0x67, 1, 255, 255, 255, 255, 255, 255, 255]);

/** Elements whose children are read as their siblings: a recorder leaves the size of the first two unknown. */
const containers = new Set<number>([ids.segment, ids.cluster, ids.blockGroup]);

/** Times are in the unit of the file. */
interface Cue {
  readonly time: number;
  readonly track: number;
  readonly cluster: number;
}

/** An element, by the places of its id, its body and its end in the file. */
interface EbmlElement {
  readonly id: number;
  readonly start: number;
  readonly body: number;
  readonly end: number;
}

function readUint(view: DataView, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) value = value * 256 + view.getUint8(at);
  return value;
}

/**
 * Returns the length of a number of variable length, which the leading zero bits of its first byte tell.
 * @throws RangeError if there is none.
 */
function lengthAt(view: DataView, at: number): number {
  const length = Math.clz32(view.getUint8(at)) - 23;
  if (length > 8) throw new RangeError('This is no number of a WebM file');
  return length;
}

/** Returns a number of variable length, which follows the bits that tell its length. */
function readNumber(view: DataView, start: number, end: number): number {
  const first = view.getUint8(start) & (0xff >> (end - start));
  return first * 256 ** (end - start - 1) + readUint(view, start + 1, end);
}

/** Yields the elements of a range. The last one of a file that was cut off ends with the range. */
function* elementsOf(view: DataView, start: number, limit: number): Generator<EbmlElement> {
  for (let at = start; at < limit;) {
    const sizeAt = at + lengthAt(view, at);
    const body = sizeAt + lengthAt(view, sizeAt);
    const size = readNumber(view, sizeAt, body);
    const id = readUint(view, at, sizeAt);
    const end = Math.min(limit, body + size);
    yield { id, start: at, body, end };
    at = containers.has(id) ? body : end;
  }
}

/** Returns an element whose size takes eight bytes, so that its length does not depend on the numbers in it. */
function element(id: number, ...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const sizeAt = Math.ceil((32 - Math.clz32(id)) / 8);
  const size = parts.reduce((sum, { length }) => sum + length, 0);
  const made = new Uint8Array(sizeAt + 8 + size);
  for (let at = 0; at < sizeAt; at++) made[at] = id >>> (8 * (sizeAt - 1 - at));
  new DataView(made.buffer).setBigUint64(sizeAt, 2n ** 56n + BigInt(size));
  let at = sizeAt + 8;
  for (const part of parts) {
    made.set(part, at);
    at += part.length;
  }
  return made;
}

function uint(id: number, value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
  return element(id, bytes);
}

function float(id: number, value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value);
  return element(id, bytes);
}

function cuesOf(points: readonly Cue[], firstClusterAt: number): Uint8Array<ArrayBuffer> {
  const first = points[0]?.cluster ?? 0;
  return element(
    ids.cues,
    ...points.map(({ time, track, cluster }) =>
      element(
        ids.cuePoint,
        uint(ids.cueTime, time),
        element(
          ids.cuePositions,
          uint(ids.cueTrack, track),
          uint(ids.cueCluster, cluster - first + firstClusterAt),
        ),
      ),
    ),
  );
}

/**
 * Returns a recording with the length and the seek index that a recorder does not write, because it writes a stream.
 * Firefox seeks in no WebM file without an index. The sound itself is not copied.
 *
 * @returns the parts of the new file; null if the file is no such recording.
 */
export function seekableWebm(file: ArrayBuffer): BlobPart[] | null {
  const view = new DataView(file);
  const bytes = new Uint8Array(file);
  const points: Cue[] = [];
  const described: EbmlElement[] = [];
  let segment: EbmlElement | null = null;
  let facts: EbmlElement[] = [];
  let cluster: EbmlElement | null = null;
  let clusterTime = 0;
  let [last, duration] = [0, 0];

  try {
    for (const each of elementsOf(view, 0, bytes.length)) {
      const { id, body, end } = each;
      if (id === ids.cues) return null;
      if (id === ids.segment) segment = each;
      else if (id === ids.info) facts = [...elementsOf(view, body, end)];
      else if (id === ids.cluster) cluster = each;
      else if (id === ids.clusterTime) clusterTime = readUint(view, body, end);
      else if (id === ids.simpleBlock || id === ids.block) {
        const timeAt = body + lengthAt(view, body);
        const time = clusterTime + view.getInt16(timeAt);
        duration = time + Math.max(0, time - last);
        last = time;
        const { start = 0 } = cluster ?? {};
        const track = readNumber(view, body, timeAt);
        if (points.at(-1)?.cluster !== start) points.push({ time, track, cluster: start });
      } else if (segment !== null && cluster === null) described.push(each);
    }
  } catch (error) {
    // A recording that was cut off can end within the head of an element.
    if (!(error instanceof RangeError)) throw error;
  }

  const [first] = points;
  if (segment === null || first === undefined || facts.length === 0) return null;
  const partOf = ({ start, end }: EbmlElement) => bytes.subarray(start, end);
  const head = [
    element(
      ids.info,
      ...facts.filter(({ id }) => id !== ids.duration).map(partOf),
      float(ids.duration, duration),
    ),
    ...described.filter(({ id }) => id !== ids.seekHead).map(partOf),
  ];
  const headLength = head.reduce((sum, { length }) => sum + length, 0);
  const cues = cuesOf(points, headLength + cuesOf(points, 0).length);
  return [
    bytes.subarray(0, segment.start),
    openSegment,
    ...head,
    cues,
    bytes.subarray(first.cluster),
  ];
}
