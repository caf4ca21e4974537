import { audioPath } from '../../schemas/documents/voice-note.ts';
import type { DemoDog } from './dogs.ts';

export const recordingType = 'audio/webm;codecs=opus';

const editedAfterMs = 20 * 60_000;

export interface DemoEntry {
  readonly id: string;
  readonly createdDate: Date;
  /** The other fields of the document. */
  readonly content: Readonly<Record<string, string | number>>;
  /** The file in the demo owner's folder, and the name that it is uploaded under. */
  readonly recording: { readonly file: string; readonly objectName: string } | null;
}

function formerTexts(text: string | undefined, createdDate: Date) {
  if (text === undefined) return {};
  const untilMs = createdDate.getTime() + editedAfterMs;
  return { formerTexts: JSON.stringify([{ text, untilMs }]) };
}

/** Returns the journal of a dog, oldest entry first. */
export function entriesOf(dog: DemoDog, instant: (when: string) => Date): readonly DemoEntry[] {
  const idOf = (when: string) => `${dog.id}-${when.replaceAll(/\W/g, '-')}`;
  const notes = Object.entries(dog.notes).map(([when, text]): DemoEntry => {
    const createdDate = instant(when);
    const former = formerTexts(dog.formerTexts[when], createdDate);
    const content = { type: 'note', text, ...former };
    return { id: idOf(when), createdDate, content, recording: null };
  });
  const spoken = Object.entries(dog.spoken).map(([when, note]): DemoEntry => {
    const createdDate = instant(when);
    const { file, text, durationMs, waveform } = note;
    const fileLocation = audioPath(dog.id, createdDate.getTime(), 'webm');
    const sound = { fileLocation, contentType: recordingType, durationMs, waveform };
    const content = { type: 'voice-note', text, transcript: 'done', ...sound };
    return { id: idOf(when), createdDate, content, recording: { file, objectName: fileLocation } };
  });
  const entries = [...notes, ...spoken];
  return entries.toSorted((one, other) => Number(one.createdDate) - Number(other.createdDate));
}
