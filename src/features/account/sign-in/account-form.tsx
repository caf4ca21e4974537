import type { ReactNode, RefObject, SyntheticEvent } from 'react';
import { FormProblem } from '../../../ui/fields/form-problem.tsx';

export interface AccountFormProps {
  readonly formRef: RefObject<HTMLFormElement | null>;
  /** The sentence of the last failed request; null if there is none. */
  readonly problem: ReactNode;
  readonly onSubmit: () => Promise<void>;
  readonly children: ReactNode;
}

/** The form of a page without an owner. Each field shows its own problem, not the browser. */
export function AccountForm({ formRef, problem, onSubmit, children }: AccountFormProps) {
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    void onSubmit();
  };
  return (
    <form ref={formRef} noValidate className="flex flex-col gap-5" onSubmit={submit}>
      {problem !== null && <FormProblem>{problem}</FormProblem>}
      {children}
    </form>
  );
}
