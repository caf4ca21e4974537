import { describe, expect, it } from 'vitest';
import type { FileBytes } from '../../schemas/local/file-bytes.ts';
import { firstName, freeName, timestampOf } from './free-name.ts';

const unnamed = { entryId: 'e1', petId: 'p1', contentType: 'audio/webm', timestampMs: 1_000 };
const nameAt = (timestampMs: number): string => `pets/p1/audios/voice-note-${timestampMs}.webm`;

/** A device on which each of these names belongs to an entry. */
function filesWith(entryByName: ReadonlyMap<string, string>) {
  const read = async (id: string): Promise<FileBytes | null> => {
    const documentId = entryByName.get(id);
    if (documentId === undefined) return null;
    const content = { bytes: new ArrayBuffer(1), byteLength: 1, md5: '', usedAtMs: 0 };
    return { id, kind: 'voice-note', documentId, contentType: 'audio/webm', ...content };
  };
  return { read };
}

describe('the name of a recording', () => {
  it('has its millisecond if nobody has it', async () => {
    expect(await freeName(filesWith(new Map()), unnamed)).toBe(nameAt(1_000));
    expect(firstName(unnamed)).toBe(nameAt(1_000));
  });

  it('is the one that the entry has already', async () => {
    expect(await freeName(filesWith(new Map([[nameAt(1_000), 'e1']])), unnamed)).toBe(
      nameAt(1_000),
    );
  });

  it('has the next millisecond that no other recording has', async () => {
    const taken = new Map([
      [nameAt(1_000), 'e2'],
      [nameAt(1_001), 'e3'],
      [nameAt(1_003), 'e4'],
    ]);
    expect(await freeName(filesWith(taken), unnamed)).toBe(nameAt(1_002));
  });

  it('has the extension of its type, and that of the usual type if the type is unknown', () => {
    expect(firstName({ ...unnamed, contentType: 'audio/mp4' })).toMatch(/\.mp4$/);
    expect(firstName({ ...unnamed, contentType: 'audio/unheard-of' })).toMatch(/\.webm$/);
  });
});

describe('the time in a name', () => {
  it('is the one that it was made with', () => {
    expect(timestampOf(nameAt(1_700_000_000_123))).toBe(1_700_000_000_123);
  });

  it.each(['', 'pets/p1/images/profile.jpg', 'voice-note-.webm', 'voice-note-1'])(
    'is 0 for %j, which is the name of no recording',
    (name) => {
      expect(timestampOf(name)).toBe(0);
    },
  );
});
