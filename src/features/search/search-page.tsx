import Search from 'lucide-react/icons/search';
import {
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react';
import { journalEntryTypes } from '../../../schemas/documents/entry-kinds.ts';
import { searchMaxLength } from '../../../schemas/limits.ts';
import { useData } from '../../data/data-context.ts';
import type { NamedPet } from '../../data/queries/queries.ts';
import type { SearchQuery } from '../../data/queries/search.ts';
import { useFetchedOnce } from '../../data/queries/use-fetched-once.ts';
import { useDocumentTitle } from '../../lib/dom/document-title.ts';
import { focusHeading } from '../../lib/dom/focus-heading.ts';
import { keepFocus } from '../../lib/dom/keep-focus.ts';
import { useLive } from '../../lib/async/live.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { RetryNote } from '../../ui/retry-note.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { FoundPets, FoundEntries } from './search-results.tsx';
import { searchStatus } from './search-copy.ts';
import { isBlank } from './search-words.ts';
import { hitsPerPage, useSearchPlace, type SearchParams } from './use-search-place.ts';
import { useJournalSearch } from './use-journal-search.ts';

export interface SearchPageProps {
  readonly params: SearchParams;
  /** Writes the query into the address, so that a step back or a reload restores it. */
  readonly onChange: (params: SearchParams) => void;
}

const kindNames: Readonly<Record<string, string>> = {
  note: 'Notes',
  'voice-note': 'Voice notes',
};

/** The debounce of the address after a keystroke, because each change of it has a cost. */
const quietMs = 300;

/** Holds the values of the form, and writes them into the address a moment later, or when the form is left. */
function useSearchForm({ params, onChange }: SearchPageProps) {
  const [values, setValues] = useState(params);
  const keep = useEffectEvent(onChange);
  useEffect(() => {
    const timer = setTimeout(() => keep(values), quietMs);
    return () => clearTimeout(timer);
  }, [values]);
  const change = (changes: SearchParams): void => setValues({ ...values, ...changes });
  return { values, change, leave: () => onChange(values) };
}

const noPets: readonly NamedPet[] = [];

const broken = 'The search could not be opened. Your journal is as it was.';
const incomplete =
  'Not all of your journal is on this device yet. What is still to come is not found.';
/** Only the Sync sheet still has a note that was rescued from a deleted dog. */
const deletedDog = 'Deleted dog: see the Sync details';

export function SearchPage(props: SearchPageProps) {
  const { queries } = useData();
  const { values, change, leave } = useSearchForm(props);
  const { q: words = '' } = values;
  const { scroller, limit, setLimit, isReturn, restore } = useSearchPlace(values);
  const pets = useLive(useMemo(() => queries.pets(), [queries]));
  // The address may name a dog that is gone, or an unknown kind; the boxes show neither.
  const isPetGone = pets?.every(({ id }) => id !== values.pet) ?? false;
  const pet = isPetGone ? '' : (values.pet ?? '');
  const kind = journalEntryTypes.find((type) => type === values.kind) ?? '';
  const isFetched = useFetchedOnce();
  useDocumentTitle('Search');

  const query = useMemo<SearchQuery>(
    () => ({
      words,
      petId: pet === '' ? null : pet,
      type: kind === '' ? null : kind,
      pets: (pets ?? []).map(({ id, fields: { name } }) => ({ id, name })),
      limit,
    }),
    [words, pet, kind, pets, limit],
  );
  const { state, answer } = useJournalSearch(query);
  // The hits render in slices, so that a keystroke can interrupt them.
  const drawn = useDeferredValue(answer);
  const isIdle = isBlank(words);
  const isFilled = drawn !== undefined && state.readPart === 1;
  useLayoutEffect(() => {
    if (isFilled) restore();
  }, [isFilled, restore]);

  return (
    <div ref={scroller} className="flex min-h-0 flex-1 flex-col overflow-y-auto">
      <div className="page-column flex flex-1 flex-col gap-4 pt-5 pb-[max(1.5rem,env(safe-area-inset-bottom))]">
        <search className="flex flex-col gap-3" onBlur={leave}>
          <input
            type="search"
            aria-label="Search the journal"
            placeholder="Search the journal"
            value={words}
            maxLength={searchMaxLength}
            autoFocus={!isReturn}
            autoComplete="off"
            enterKeyHint="search"
            dir="auto"
            className="min-h-12 w-full rounded-card border border-field-line bg-paper px-4 text-[1.0625rem] text-ink placeholder:text-ink-soft [&::-webkit-search-cancel-button]:grayscale"
            onChange={(event) => {
              change({ q: event.target.value });
              setLimit(hitsPerPage);
            }}
          />
          <div className="grid grid-cols-[repeat(auto-fit,minmax(min(9rem,100%),1fr))] gap-3">
            <SelectField
              label="Dog"
              value={pet}
              onChange={(event) => change({ pet: event.target.value })}
            >
              <option value="">All dogs</option>
              {(pets ?? []).map(({ id, fields: { name } }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </SelectField>
            <SelectField
              label="Kind"
              value={kind}
              onChange={(event) => change({ kind: event.target.value })}
            >
              <option value="">Everything</option>
              {journalEntryTypes.map((type) => (
                <option key={type} value={type}>
                  {kindNames[type]}
                </option>
              ))}
            </SelectField>
          </div>
        </search>
        {state.isBroken && (
          <RetryNote label="Reload" onRetry={() => location.reload()}>
            {broken}
          </RetryNote>
        )}
        {!isFetched && <p className="text-ink-soft">{incomplete}</p>}
        {/* Screen readers announce only the end of the reading, not each percent. */}
        <p
          role="status"
          aria-live={state.readPart < 1 ? 'off' : 'polite'}
          className="text-ink-soft empty:sr-only"
        >
          {!state.isBroken && searchStatus({ words, state, answer })}
        </p>
        {isIdle ? (
          <EmptyState
            sentence="Find any word of your notes and voice notes, or a dog by its name."
            picture={<Search aria-hidden size={48} className="text-moss" />}
          />
        ) : (
          <>
            <FoundPets pets={pets ?? []} words={words} />
            {drawn !== undefined && (
              <FoundEntries
                answer={drawn}
                pets={pets ?? noPets}
                nameless={pets !== undefined && isFetched ? deletedDog : ''}
              />
            )}
            {pet !== '' && drawn?.count === 0 && (pets ?? noPets).length > 1 && (
              <Button
                onClick={() => {
                  change({ pet: '' });
                  // The button goes, together with the focus.
                  focusHeading();
                }}
              >
                Search all dogs
              </Button>
            )}
            {drawn !== undefined && drawn.count > drawn.hits.length && (
              <Button ref={keepFocus} onClick={() => setLimit(limit + hitsPerPage)}>
                Show more
              </Button>
            )}
          </>
        )}
      </div>
    </div>
  );
}
