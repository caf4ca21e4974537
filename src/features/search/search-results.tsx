import { Link } from '@tanstack/react-router';
import Mic from 'lucide-react/icons/mic';
import { memo, useMemo } from 'react';
import { noTextSentence } from '../../../schemas/copy/entry-copy.ts';
import { feedKeyMs } from '../../../schemas/documents/feed-key.ts';
import type { NamedPet } from '../../data/queries/queries.ts';
import type { SearchAnswer, SearchHit } from '../../data/queries/search.ts';
import { EntryTime } from '../../ui/entry-time.tsx';
import { excerptOf, isNamed } from './search-words.ts';

export interface FoundPetsProps {
  readonly pets: readonly NamedPet[];
  readonly words: string;
}

const cardStyle = 'block rounded-card bg-card px-4 py-3 transition-colors hover:bg-card-strong';

export function FoundPets({ pets, words }: FoundPetsProps) {
  const found = pets.filter(({ fields: { name } }) => isNamed(name, words));
  if (found.length === 0) return null;
  return (
    <ul role="list" aria-label="Dogs" className="flex flex-col gap-2">
      {found.map(({ id, fields: { name } }) => (
        <li key={id}>
          <Link
            to="/pets/$petId/profile"
            params={{ petId: id }}
            className={`${cardStyle} font-serif text-xl wrap-anywhere`}
          >
            <bdi>{name}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  );
}

export interface FoundEntriesProps {
  readonly answer: SearchAnswer;
  readonly pets: readonly NamedPet[];
  /** The text in place of the name of a dog that is not among these. */
  readonly nameless: string;
}

/** The hits. They render again only for another answer, so that a keystroke comes first. */
export const FoundEntries = memo(({ answer, pets, nameless }: FoundEntriesProps) => {
  const words = useMemo(() => new Set(answer.words), [answer.words]);
  if (answer.hits.length === 0) return null;
  return (
    <ul role="list" aria-label="Entries" className="flex flex-col gap-2">
      {answer.hits.map((hit) => (
        <li key={hit.id}>
          <Hit
            hit={hit}
            words={words}
            pet={pets.find(({ id }) => id === hit.petId)?.fields.name ?? nameless}
          />
        </li>
      ))}
    </ul>
  );
});
FoundEntries.displayName = 'FoundEntries';

interface HitProps {
  readonly hit: SearchHit;
  readonly words: ReadonlySet<string>;
  readonly pet: string;
}

/** A link to the entry at its place in the journal. */
function Hit({ hit, words, pet }: HitProps) {
  const { petId, feedKey, type, text = '', transcript } = hit;
  return (
    <Link
      to="/pets/$petId/profile"
      params={{ petId }}
      search={{ at: feedKey }}
      className={cardStyle}
    >
      <span className="flex flex-wrap items-center gap-x-2 text-ink-soft tabular-nums">
        {type === 'voice-note' && (
          <Mic aria-label="Voice note" size={16} className="flex-none text-heather" />
        )}
        <span dir="auto" className="wrap-anywhere">
          {pet}
        </span>
        <span className="flex-none">
          <EntryTime ms={feedKeyMs(feedKey)} />
        </span>
      </span>
      <span dir="auto" className="mt-1 line-clamp-3 wrap-anywhere whitespace-pre-wrap">
        {text === ''
          ? noTextSentence(transcript)
          : excerptOf(text, words).map((part, index) =>
              part.isMarked ? (
                // oxlint-disable-next-line react/no-array-index-key
                <mark key={index} className="rounded-sm bg-bracken-soft text-ink">
                  {part.text}
                </mark>
              ) : (
                part.text
              ),
            )}
      </span>
    </Link>
  );
}
