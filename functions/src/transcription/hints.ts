import type { SpeechHints } from '../speech/speech-engine.ts';
import type { PetFacts } from './ports.ts';

const defaultLanguage = 'en-GB';

/** @param languages language tags of the request, the most specific source first; they may be invalid. */
export function hintsFor(pet: PetFacts, languages: readonly (string | null)[]): SpeechHints {
  const phrases = [pet.name, pet.breed].flatMap((phrase) => phrase?.trim() || []);
  const known = languages.map(withRegion).find((language) => language !== null);
  return { language: known ?? defaultLanguage, phrases };
}

/** Returns the first tag of an Accept-Language header, or of a similar text. */
export function firstLanguage(header: string | null): string | null {
  return header?.split(/[,;]/)[0]?.trim() ?? null;
}

/** Adds a region, since engines expect `de-DE` and browsers often send `de`. The product uses British English. */
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
