import type { Entry } from '../../schemas/documents/document.ts';
import { newId } from '../../src/platform/new-id.ts';
import type { BenchPage } from './bench-page.ts';
import { petId } from './entries.ts';
import { newRow } from './inserts.ts';
import { ownerOf, rawNameOf } from './journals.ts';
import { openSession } from './our-database.ts';
import { openRaw } from './raw-database.ts';
import { inTurns, timed } from './stopwatch.ts';

const warmUps = 10;

/** About ten seconds of speech, as browsers record it. */
const byteLength = 40_000;
const contentType = 'audio/webm';

function newSound(): ArrayBuffer {
  return crypto.getRandomValues(new Uint8Array(byteLength)).buffer;
}

function newVoiceRow(): Entry {
  const row = newRow();
  const fields = { ...row.fields, type: 'voice-note', transcript: 'waiting', contentType };
  return { ...row, fields };
}

export const recordings: BenchPage['recordings'] = async ({ stored, inserts: turns }) => {
  const session = await openSession(ownerOf(stored));
  const raw = await openRaw(rawNameOf(stored));
  const { voice } = await session.data.files.load();
  const keep = (bytes: ArrayBuffer): Promise<void> =>
    voice.importRecording({
      id: newId(),
      petId,
      bytes,
      contentType,
      durationMs: 10_000,
      waveform: '0f',
      startedAtMs: Date.now(),
    });
  // Random bytes are created before the clock starts.
  const variants = {
    ours: () => {
      const bytes = newSound();
      return timed(() => keep(bytes));
    },
    raw: () => {
      const bytes = newSound();
      return timed(() => raw.putRecording(newVoiceRow(), bytes));
    },
  };
  try {
    return await inTurns({ variants, warmUps, turns });
  } finally {
    raw.close();
    await session.close();
  }
};
