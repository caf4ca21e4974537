import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { useData } from '../../../data/data-context.ts';
import { createStepMemory, stepKeyOf } from '../../../lib/step-memory.ts';

type Boxes = Readonly<Record<string, string>>;

export interface FormMemory<Values extends Boxes> {
  readonly values: Values;
  readonly set: (changes: Partial<Values>) => void;
  /** Runs a save, and forgets the values unless it fails. */
  readonly saving: <Result>(save: () => Promise<Result>) => Promise<Result>;
}

const memory = createStepMemory<Boxes>();

/**
 * Keeps the typed values of a form in memory.
 *
 * - A step back and one forward restores them; a new visit to the same form does not.
 * - They outlive a time in which the browser froze the page, and are dropped when the owner signs out.
 * - Only the last few forms are kept.
 *
 * @param name distinguishes the parts of one page.
 * @param first returns the values of a new visit.
 */
export function useFormMemory<Values extends Boxes>(
  name: string,
  first: () => Values,
): FormMemory<Values> {
  const { visit } = useData();
  const { history } = useRouter();
  const [key] = useState(() => [stepKeyOf(history), history.location.pathname, name].join(' '));
  const [values, setValues] = useState(() => ({ ...first(), ...memory.get(visit, key) }));
  return {
    values,
    set: (changes) => {
      const next = { ...values, ...changes };
      memory.set(visit, key, next);
      setValues(next);
    },
    saving: async (save) => {
      memory.forget(visit, key);
      try {
        return await save();
      } catch (error) {
        memory.set(visit, key, values);
        throw error;
      }
    },
  };
}
