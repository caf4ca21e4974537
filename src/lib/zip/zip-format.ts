/** The parts of the zip format that are used here: no encryption, no volumes, no file above 4 GB. */
export const signatures = { local: 0x04034b50, central: 0x02014b50, end: 0x06054b50 } as const;

/** The byte lengths of the records without their names. */
export const headLengths = { local: 30, central: 46, end: 22 } as const;

export const methods = { stored: 0, deflated: 8 } as const;

/** The bits of the general purpose flag. */
export const flags = { encrypted: 1, utf8: 0x0800 } as const;

export const entryMaxCount = 0xffff;
export const zipMaxBytes = 0xffff_ffff;

/** Runs bytes through the browser's own (de)compression, which runs outside the page's thread. */
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
    // A consumer that stops early cancels the rest.
    await reader.cancel().catch(() => undefined);
  }
}
