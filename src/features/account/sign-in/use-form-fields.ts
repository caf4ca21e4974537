import { useRef, useState, type ChangeEvent, type RefObject } from 'react';
import type { GenericSchema, InferOutput } from 'valibot';
import { checkForm, type FieldProblems } from './field-problems.ts';

export interface FormField {
  readonly name: string;
  readonly 'aria-required': true;
  readonly value: string;
  readonly onChange: (event: ChangeEvent<HTMLInputElement>) => void;
  readonly problem: string | undefined;
}

export interface FormFields<Name extends string, Output> {
  readonly formRef: RefObject<HTMLFormElement | null>;
  /** Returns the value, change handler and problem of one text field. */
  readonly field: (name: Name) => FormField;
  /** Returns the checked values, or null if there are problems: those are shown, and the first one is focused. */
  readonly check: () => Output | null;
}

export function useFormFields<Name extends string, Schema extends GenericSchema>(
  schema: Schema,
  names: readonly Name[],
  initial: Readonly<Partial<Record<string, string>>> = {},
): FormFields<Name, InferOutput<Schema>> {
  const formRef = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState(initial);
  const [problems, setProblems] = useState<FieldProblems>({});

  const field = (name: Name): FormField => ({
    name,
    'aria-required': true,
    value: values[name] ?? '',
    onChange: (event) => {
      const { value } = event.target;
      setValues((others) => ({ ...others, [name]: value }));
      setProblems(({ [name]: _solved, ...others }) => others);
    },
    problem: problems[name],
  });

  const check = (): InferOutput<Schema> | null => {
    const filled = Object.fromEntries(names.map((name) => [name, values[name] ?? '']));
    const checked = checkForm(schema, filled);
    setProblems(checked.problems ?? {});
    const firstBad = names.find((name) => checked.problems?.[name] !== undefined);
    formRef.current?.querySelector<HTMLInputElement>(`[name="${firstBad ?? ''}"]`)?.focus();
    return checked.output;
  };

  return { formRef, field, check };
}
