import * as v from 'valibot';

/**
 * Whisper was trained on subtitles, so it writes typical subtitles for sounds without speech. By these thresholds its
 * authors, and servers that run it, detect invented text.
 */
const noSpeechLikely = 0.6;
const noSpeechCertain = 0.9;
const unsureLogProbability = -1;
/** Text that compresses better than this repeats itself. */
const loopingCompression = 2.4;

const optionalNumber = v.nullish(v.number());

const segmentSchema = v.object({
  text: v.string(),
  no_speech_prob: optionalNumber,
  avg_logprob: optionalNumber,
  compression_ratio: optionalNumber,
});

export const whisperAnswerSchema = v.object({
  text: v.string(),
  segments: v.nullish(v.array(segmentSchema)),
});

type WhisperAnswer = v.InferOutput<typeof whisperAnswerSchema>;

/** Returns the spoken text without invented parts. @param prompt the prompt that it was given, which it may repeat. */
export function wordsOf({ text, segments }: WhisperAnswer, prompt = ''): string {
  const kept = segments?.filter(isSpoken).map((segment) => segment.text);
  const words = withoutAnnotations(kept?.join(' ') ?? text);
  return prompt !== '' && plain(words) === plain(prompt) ? '' : words;
}

function isSpoken(segment: v.InferOutput<typeof segmentSchema>): boolean {
  const noSpeech = segment.no_speech_prob ?? 0;
  if (noSpeech > noSpeechCertain) return false;
  if ((segment.compression_ratio ?? 0) > loopingCompression) return false;
  return noSpeech <= noSpeechLikely || (segment.avg_logprob ?? 0) > unsureLogProbability;
}

/** Removes annotations such as `[BLANK_AUDIO]`, `(wind blowing)`, `*barks*` and `♪`, which are never speech. */
function withoutAnnotations(text: string): string {
  return text
    .replaceAll(/\[[^\]]*\]|\([^)]*\)|\*[^*]*\*|[♪♫]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Returns a prompt: Whisper continues in its style, and spells names as it does. */
export function promptFor(phrases: readonly string[]): string {
  return phrases.length === 0 ? '' : `A note about my dog: ${phrases.join(', ')}.`;
}

/** The languages that all multilingual models of Whisper know, by its codes. */
const languages = new Set(
  `af am ar as az ba be bg bn bo br bs ca cs cy da de el en es et eu fa fi fo fr gl gu ha haw he hi hr ht hu hy id is it ja jw ka kk
  km kn ko la lb ln lo lt lv mg mi mk ml mn mr ms mt my ne nl nn no oc pa pl ps pt ro ru sa sd si sk sl sn so sq sr su sv sw ta te tg
  th tk tl tr tt uk ur uz vi yi yo zh`.split(/\s+/),
);
/** Whisper's codes for languages that have another one in BCP 47. */
const otherCodes: Readonly<Record<string, string>> = { nb: 'no', fil: 'tl', jv: 'jw' };

/** Returns Whisper's code for the language of a BCP 47 tag; null for a language that it does not know. */
export function whisperLanguage(tag: string): string | null {
  const [code = ''] = tag.split('-', 1);
  const language = otherCodes[code] ?? code;
  return languages.has(language) ? language : null;
}
