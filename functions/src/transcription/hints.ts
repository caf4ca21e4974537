import type { SpeechHints } from '../speech/speech-engine.ts';
import type { PetFacts } from './ports.ts';

const defaultLanguage = 'en-GB';

/** @param languages what the request says, the best guess first; none of it need be a language. */
export function hintsFor(pet: PetFacts, languages: readonly (string | null)[]): SpeechHints {
  const phrases = [pet.name, pet.breed].flatMap((phrase) => phrase?.trim() || []);
  const known = languages.map(withRegion).find((language) => language !== null);
  return { language: known ?? defaultLanguage, phrases };
}

/** The first tag of an Accept-Language header, or of anything that looks like one. */
export function firstLanguage(header: string | null): string | null {
  return header?.split(/[,;]/)[0]?.trim() ?? null;
}

/** Engines want `de-DE`, and browsers often say `de`. The product speaks British English. */
function withRegion(tag: string | null): string | null {
  if (tag === null || tag === '' || tag === '*') return null;
  if (tag.toLowerCase() === 'en') return defaultLanguage;
  try {
    const { language, region } = new Intl.Locale(tag).maximize();
    return region === undefined || language === 'und' ? null : `${language}-${region}`;
  } catch {
    return null;
  }
}
