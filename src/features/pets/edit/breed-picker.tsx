import { useId, type Ref } from 'react';
import { breeds, type Breed } from '../../../../schemas/forms/breeds.ts';
import { classNames } from '../../../lib/dom/class-names.ts';
import { countText } from '../../../lib/text/count-text.ts';
import { FieldProblem } from '../../../ui/fields/field-problem.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';

export interface BreedPickerProps {
  readonly searchRef: Ref<HTMLInputElement>;
  /** The label of the chosen breed; empty if there is none. */
  readonly chosen: string;
  readonly query: string;
  readonly problem: string | undefined;
  readonly onSearch: (query: string) => void;
  readonly onChoose: (label: string) => void;
}

/** Returns a text for comparison: "flat-coated" finds "Flat Coated Retriever". */
function comparable(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

export function matchingBreeds(query: string): readonly Breed[] {
  const wanted = comparable(query);
  return breeds.filter(({ label }) => comparable(label).includes(wanted));
}

/** A list with a search. The chosen breed stays in the list, even if it does not match. */
export function BreedPicker(props: BreedPickerProps) {
  const { searchRef, chosen, query, problem, onSearch, onChoose } = props;
  const id = useId();
  const matches = matchingBreeds(query);
  const shown = breeds.filter((breed) => matches.includes(breed) || breed.label === chosen);
  return (
    <div className="grid grid-cols-1 gap-4">
      <TextField
        ref={searchRef}
        label="Search breeds"
        type="search"
        name="breed-search"
        dir="auto"
        value={query}
        autoComplete="off"
        enterKeyHint="search"
        onChange={(event) => onSearch(event.target.value)}
      />
      <p role="status" className="sr-only">
        {query.trim() === '' ? '' : countText(matches.length, 'breed')}
      </p>
      <div
        role="radiogroup"
        aria-label="Breed"
        aria-required="true"
        aria-describedby={problem === undefined ? undefined : id}
        className="grid grid-cols-1 gap-1"
      >
        {problem !== undefined && <FieldProblem id={id}>{problem}</FieldProblem>}
        {matches.length === 0 && (
          <p className="py-2 text-ink-soft">No breed in the list is called that.</p>
        )}
        {shown.map(({ value, label }) => (
          <label
            key={value}
            className={classNames(
              'flex min-h-12 items-center gap-3 rounded-card px-3 py-2 text-lg',
              label === chosen ? 'bg-moss-soft' : 'hover:bg-card',
            )}
          >
            <input
              type="radio"
              name={id}
              value={value}
              checked={label === chosen}
              className="size-5 flex-none accent-moss"
              onChange={() => onChoose(label)}
            />
            {label}
          </label>
        ))}
      </div>
    </div>
  );
}
