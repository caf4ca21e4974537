/** The sentences in place of a text, by the state of the transcript; '' stands for no sentence. */
const noTextBy: Readonly<Record<string, string>> = {
  none: 'No speech detected',
  failed: 'No text could be made of this recording',
  unheard: '',
  edited: '',
};

/** Returns the sentence in place of the text of an entry that has none; '' if there is nothing to say. */
export function noTextSentence(transcript = ''): string {
  return noTextBy[transcript] ?? 'AI Generation In Progress';
}
