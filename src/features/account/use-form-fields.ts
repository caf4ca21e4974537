import { useRef, useState, type ComponentProps, type RefObject } from 'react';
import type { GenericSchema, InferOutput } from 'valibot';
import { checkForm, type FieldProblems } from './field-problems.ts';

export interface FormFields<Name extends string, Output> {
  readonly formRef: RefObject<HTMLFormElement | null>;
  /** Value, change handler and problem of one text field. */
  readonly field: (
    name: Name,
  ) => ComponentProps<'input'> & { readonly problem: string | undefined };
  /** The checked values; null if there are problems, which are then shown, the first one focused. */
  readonly check: () => Output | null;
}

export function useFormFields<Name extends string, Schema extends GenericSchema>(
  schema: Schema,
  names: readonly Name[],
): FormFields<Name, InferOutput<Schema>> {
  const formRef = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState<Readonly<Partial<Record<string, string>>>>({});
  const [problems, setProblems] = useState<FieldProblems>({});

  const field = (name: Name) => ({
    name,
    value: values[name] ?? '',
    onChange: (event: { readonly target: { readonly value: string } }) => {
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
