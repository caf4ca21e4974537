/** What a zip file is made of, as far as it is used here: no encryption, no volumes, no file beyond 4 GB. */
export const signatures = { local: 0x04034b50, central: 0x02014b50, end: 0x06054b50 } as const;

/** Bytes of each record without its names. */
export const headLengths = { local: 30, central: 46, end: 22 } as const;

export const methods = { stored: 0, deflated: 8 } as const;

/** Of a general purpose flag. */
export const flags = { encrypted: 1, utf8: 0x0800 } as const;

export const entryMaxCount = 0xffff;
export const zipMaxBytes = 0xffff_ffff;

/** Runs bytes through the browser's own (de)compression, which works apart from the page. */
export async function* piped(
  content: Blob,
  transform: ReadableWritablePair<Uint8Array<ArrayBuffer>, BufferSource>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = content.stream().pipeThrough(transform).getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Whoever has seen enough lets go of the rest.
    await reader.cancel().catch(() => undefined);
  }
}
