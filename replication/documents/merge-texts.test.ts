import { describe, expect, it } from 'vitest';
import { withEdit, type LocalDocument } from '../../schemas/documents/document.ts';
import { readFormerTexts } from '../../schemas/documents/former-texts.ts';
import { clean, newEntry, onServer } from '../../tests/support/fixtures/sync-documents.ts';
import { mergeRemote } from './merge/merge.ts';

const nowMs = 9_000;

/** A voice note without any text. */
function voiceNote(transcript: string): LocalDocument {
  const entry = newEntry({ id: 'e1', petId: 'p1' });
  return clean({ ...entry, fields: { createdDate: 1_000, type: 'voice-note', transcript } }, 3);
}

describe('merging former texts', () => {
  const entry = clean(newEntry({ id: 'e1', petId: 'p1' }), 3);
  const former = ({ fields }: Pick<LocalDocument, 'fields'>) =>
    readFormerTexts(fields['formerTexts']).map(({ text }) => text);

  it('D5.12 unites those of both sides, whichever text wins', () => {
    const first = String(entry.fields['text']);
    for (const [mineMs, theirsMs] of [
      [4_000, 3_000],
      [3_000, 4_000],
    ] as const) {
      const mine = withEdit(withEdit(entry, { text: 'a' }, 2_000), { text: 'b' }, mineMs);
      const theirs = withEdit(withEdit(entry, { text: 'c' }, 2_500), { text: 'd' }, theirsMs);
      const { document, versions } = mergeRemote(mine, onServer(theirs, 5), nowMs);
      expect(document.fields['text']).toBe(mineMs > theirsMs ? 'b' : 'd');
      expect(new Set(former(document))).toEqual(new Set(['a', 'c', first]));
      expect(versions).toHaveLength(1);
      const { fields, edits } = versions[0] ?? {};
      // A version that is restored after the entry was deleted has the time of the entry.
      expect(fields).toEqual({ text: mineMs > theirsMs ? 'd' : 'b', createdDate: 1_000 });
      expect(Object.keys(edits ?? {})).toEqual(['text', 'transcript']);
      expect(document.pending).toBe(1);
    }
  });

  it('D5.2 the version of a text has the time of the entry, which is the server’s', () => {
    const { createdDate: _, ...timeless } = entry.fields;
    const mine = withEdit({ ...entry, fields: timeless }, { text: 'b' }, 3_000);
    const theirs = withEdit(entry, { text: 'd' }, 4_000);
    const { document, versions } = mergeRemote(mine, onServer(theirs, 5), nowMs);
    expect(document.fields['createdDate']).toBe(1_000);
    expect(versions).toMatchObject([{ fields: { text: 'b', createdDate: 1_000 } }]);
  });

  it('D5.12 takes those of the server where this device has none, and the other way round', () => {
    const edited = withEdit(entry, { text: 'b' }, 2_000);
    const older = withEdit(entry, { durationMs: 5 }, 3_000);
    const taken = mergeRemote(older, onServer(edited, 5), nowMs);
    expect(former(taken.document)).toHaveLength(1);
    expect(former(mergeRemote(edited, onServer(older, 5), nowMs).document)).toHaveLength(1);
  });
});

describe('merging texts of voice notes', () => {
  const waiting = voiceNote('waiting');

  it('D5.6 keeps typed words against a later transcript, which is kept aside', () => {
    const typed = withEdit(waiting, { text: 'mine', transcript: 'edited' }, 2_000);
    const done = withEdit(waiting, { text: 'machine', transcript: 'done' }, 8_000);
    const { document, versions } = mergeRemote(typed, onServer(done, 5), nowMs);
    expect(document.fields).toMatchObject({ text: 'mine', transcript: 'edited' });
    expect(versions).toMatchObject([{ fields: { text: 'machine' }, side: 'server' }]);
  });

  it.each(['waiting', 'unheard'])(
    "D5.6 keeps a machine's words against a later state without any: %s",
    (transcript) => {
      const done = withEdit(voiceNote('unheard'), { text: 'machine', transcript: 'done' }, 2_000);
      const without = withEdit(voiceNote('failed'), { transcript }, 8_000);
      for (const [mine, theirs] of [
        [done, without],
        [without, done],
      ] as const) {
        const { document, versions } = mergeRemote(mine, onServer(theirs, 5), nowMs);
        expect(document.fields).toMatchObject({ text: 'machine', transcript: 'done' });
        expect(versions).toEqual([]);
      }
    },
  );

  it('D5.6 takes typed words of the server against a later transcript here', () => {
    const typed = withEdit(waiting, { text: 'theirs', transcript: 'edited' }, 2_000);
    const done = withEdit(waiting, { text: 'machine', transcript: 'done' }, 8_000);
    const { document, versions } = mergeRemote(done, onServer(typed, 5), nowMs);
    expect(document.fields).toMatchObject({ text: 'theirs', transcript: 'edited' });
    expect(versions).toMatchObject([{ fields: { text: 'machine' }, side: 'local' }]);
  });

  it('D5.6 keeps no state of a machine that has no words', () => {
    const typed = withEdit(waiting, { text: 'mine', transcript: 'edited' }, 2_000);
    const failed = withEdit(waiting, { transcript: 'failed' }, 8_000);
    expect(mergeRemote(typed, onServer(failed, 5), nowMs).versions).toEqual([]);
    expect(mergeRemote(failed, onServer(typed, 5), nowMs).versions).toEqual([]);
  });

  it('D5.6 decides between two persons, and between two machines, by the stamps', () => {
    for (const transcript of ['edited', 'done']) {
      const mine = withEdit(waiting, { text: 'mine', transcript }, 2_000);
      const theirs = withEdit(waiting, { text: 'theirs', transcript }, 3_000);
      const { document, versions } = mergeRemote(mine, onServer(theirs, 5), nowMs);
      expect(document.fields['text']).toBe('theirs');
      expect(versions).toMatchObject([{ fields: { text: 'mine' } }]);
    }
  });

  it('D5.6 decides other fields by their stamps, whoever wrote the words', () => {
    const typed = { text: 'mine', transcript: 'edited', fileLocation: 'mine' };
    const made = { text: 'machine', transcript: 'done', fileLocation: 'theirs' };
    const server = onServer(withEdit(waiting, made, 3_000), 5);
    const { document } = mergeRemote(withEdit(waiting, typed, 2_000), server, nowMs);
    expect(document.fields).toMatchObject({ text: 'mine', fileLocation: 'theirs' });
  });
});
