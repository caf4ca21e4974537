import { assert, property, uint8Array } from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { seekableWebm } from './seekable-webm.ts';

/** Returns 2.5 s that a browser has recorded, without an index. */
const recordingOf = (browser: string) =>
  new Uint8Array(
    readFileSync(join(import.meta.dirname, `../../../tests/fixtures/recordings/${browser}.webm`)),
  );
const clusterId = [0x1f, 0x43, 0xb6, 0x75];
const segmentId = [0x18, 0x53, 0x80, 0x67];

function indexOf(bytes: Uint8Array, wanted: readonly number[], from = 0): number {
  for (let at = from; at < bytes.length; at++) {
    if (wanted.every((byte, offset) => bytes[at + offset] === byte)) return at;
  }
  return -1;
}

async function indexed(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer> | null> {
  const parts = seekableWebm(bytes.slice().buffer);
  return parts && new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** Reads the numbers of eight bytes that follow an id, each after its size of eight bytes. */
function numbersAfter(bytes: Uint8Array<ArrayBuffer>, id: readonly number[]): DataView[] {
  const found: DataView[] = [];
  const size = [1, 0, 0, 0, 0, 0, 0, 8];
  const head = [...id, ...size];
  for (let at = indexOf(bytes, head); at >= 0; at = indexOf(bytes, head, at + 1)) {
    found.push(new DataView(bytes.buffer, at + head.length, 8));
  }
  return found;
}

const lengthIn = (bytes: Uint8Array<ArrayBuffer>) =>
  numbersAfter(bytes, [0x44, 0x89]).map((view) => view.getFloat64(0));
const timesIn = (bytes: Uint8Array<ArrayBuffer>) =>
  numbersAfter(bytes, [0xb3]).map((view) => Number(view.getBigUint64(0)));
const placesIn = (bytes: Uint8Array<ArrayBuffer>) =>
  numbersAfter(bytes, [0xf1]).map((view) => Number(view.getBigUint64(0)));

describe.each([
  ['chromium', 2_460, [0, 540, 1_080, 1_620, 2_160]],
  ['firefox', 2_526, [6, 1_006, 2_006]],
] as const)('a recording of %s', (browser, length, times) => {
  const recorded = recordingOf(browser);

  it('gets its length and an index of its clusters, and its sound stays as it is', async () => {
    const made = await indexed(recorded);
    if (made === null) throw new Error('no recording');
    expect(lengthIn(made)).toEqual([length]);
    expect(timesIn(made)).toEqual(times);
    const segmentBody = indexOf(made, segmentId) + 12;
    const places = placesIn(made).map((place) => segmentBody + place);
    expect(new Set(places).size).toBe(times.length);
    for (const place of places) expect([...made.subarray(place, place + 4)]).toEqual(clusterId);
    expect(made.subarray(places[0])).toEqual(recorded.subarray(indexOf(recorded, clusterId)));
    expect(await indexed(made)).toBeNull();
  });

  it('gets an index for what is there if it was cut off', async () => {
    const lengths: number[] = [];
    for (let end = 0; end <= recorded.length; end += 7) {
      const made = await indexed(recorded.slice(0, end));
      if (made !== null) lengths.push(...lengthIn(made));
    }
    expect(lengths.length).toBeGreaterThan(500);
    expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
  });
});

it('any other file is left alone', () => {
  assert(
    property(uint8Array({ maxLength: 300 }), (bytes) => {
      expect(seekableWebm(Uint8Array.from(bytes).buffer)).toBeNull();
    }),
  );
  expect(seekableWebm(new TextEncoder().encode('RIFF....WAVEfmt ').buffer)).toBeNull();
});
