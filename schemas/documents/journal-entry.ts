import * as v from 'valibot';
import { journalEntryTypes, transcriptStates } from './entry-kinds.ts';
import {
  contentTypeMaxLength,
  formerTextsMaxLength,
  noteTextMaxLength,
  waveformLength,
} from '../limits.ts';
import { noteTooLong } from '../copy/form-copy.ts';
import { toPlainText } from './plain-text.ts';

export const noteTextSchema = v.pipe(
  v.string(),
  toPlainText,
  v.trim(),
  v.minLength(1),
  v.maxLength(noteTextMaxLength, noteTooLong),
);

/** The fields of a live journal entry. */
export const entryFieldsSchema = v.object({
  /** Epoch milliseconds at which the owner created it. */
  createdDate: v.pipe(v.number(), v.integer(), v.minValue(0)),
  type: v.picklist(journalEntryTypes),
  text: v.optional(v.pipe(v.string(), v.maxLength(noteTextMaxLength, noteTooLong))),
  fileLocation: v.optional(v.pipe(v.string(), v.maxLength(1_024))),
  contentType: v.optional(v.pipe(v.string(), v.maxLength(contentTypeMaxLength))),
  durationMs: v.optional(v.pipe(v.number(), v.minValue(0))),
  transcript: v.optional(v.picklist(transcriptStates)),
  /** See `FormerText`. */
  formerTexts: v.optional(v.pipe(v.string(), v.maxLength(formerTextsMaxLength))),
  /** See `EntryFields`. */
  waveform: v.optional(v.pipe(v.string(), v.maxLength(waveformLength))),
});
