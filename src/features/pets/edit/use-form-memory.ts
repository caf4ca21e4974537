import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { useData } from '../../../data/data-context.ts';

type Boxes = Readonly<Record<string, string>>;

export interface FormMemory<Values extends Boxes> {
  readonly values: Values;
  readonly set: (changes: Partial<Values>) => void;
  /** Runs a save, and forgets the values unless it fails. */
  readonly saving: <Result>(save: () => Promise<Result>) => Promise<Result>;
}

/**
 * The typed values of forms, by history entry. A sign-out drops them, because they live as long as the owner's open
 * data.
 */
const formsOfData = new WeakMap<object, Map<string, Boxes>>();
const keptMax = 9;

function keep(forms: Map<string, Boxes>, key: string, values: Boxes): void {
  forms.delete(key);
  forms.set(key, values);
  const [oldest = ''] = forms.keys();
  if (forms.size > keptMax) forms.delete(oldest);
}

/**
 * Keeps the typed values of a form in memory.
 *
 * - A step back and one forward restores them; a new visit to the same form does not.
 * - They are dropped when the owner signs out.
 * - Only the last few forms are kept.
 *
 * @param name distinguishes the parts of one page.
 * @param first returns the values of a new visit.
 */
export function useFormMemory<Values extends Boxes>(
  name: string,
  first: () => Values,
): FormMemory<Values> {
  const { queries } = useData();
  const { location } = useRouter().history;
  const [forms] = useState(() => {
    const found = formsOfData.get(queries) ?? new Map<string, Boxes>();
    formsOfData.set(queries, found);
    return found;
  });
  // During a navigation, the history is already at the next entry.
  // oxlint-disable-next-line no-underscore-dangle
  const [key] = useState(() => [location.state.__TSR_key, location.pathname, name].join(' '));
  const [values, setValues] = useState(() => ({ ...first(), ...forms.get(key) }));
  return {
    values,
    set: (changes) => {
      const next = { ...values, ...changes };
      keep(forms, key, next);
      setValues(next);
    },
    saving: async (save) => {
      forms.delete(key);
      try {
        return await save();
      } catch (error) {
        keep(forms, key, values);
        throw error;
      }
    },
  };
}
