import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { useData } from '../../../data/data-context.ts';

type Boxes = Readonly<Record<string, string>>;

export interface FormMemory<Values extends Boxes> {
  readonly values: Values;
  readonly set: (changes: Partial<Values>) => void;
  /** Saves them: what is being saved is not offered again, unless it fails. */
  readonly saving: <Result>(save: () => Promise<Result>) => Promise<Result>;
}

/**
 * What is typed into forms, by the step in the history that it was typed at.
 *
 * - A step back and one forward finds it again; a new visit to the same form does not.
 * - In memory, and only as long as the open data of its owner: whoever signs out leaves nothing here.
 * - Only the last few are kept.
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
 * @param name tells the parts of one page apart.
 * @param first what the boxes hold on a new visit.
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
  // While one is being led away, the history is a step further already.
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
