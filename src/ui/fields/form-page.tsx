import type { ReactNode, SyntheticEvent } from 'react';
import { Button } from '../button.tsx';
import { FormProblem } from './form-problem.tsx';

export interface FormPageProps {
  /** The message of a failed submit. */
  readonly failure?: string | null;
  /** The label of the button at the bottom, in reach of the thumb; without it, the form cannot be submitted yet. */
  readonly submitLabel?: string;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

/** A page that consists of one form. */
export function FormPage({ failure = null, submitLabel, onSubmit, children }: FormPageProps) {
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form noValidate onSubmit={submit} className="flex min-h-0 flex-1 flex-col">
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="page-column grid grid-cols-1 gap-6 pt-4 pb-8">
          {failure !== null && <FormProblem>{failure}</FormProblem>}
          {children}
        </div>
      </div>
      {submitLabel === undefined ? (
        // Without a button, Enter submits only forms with a single field.
        <button type="submit" hidden />
      ) : (
        <div className="page-column grid flex-none pt-2 pb-[max(1rem,env(safe-area-inset-bottom))]">
          <Button type="submit" kind="primary">
            {submitLabel}
          </Button>
        </div>
      )}
    </form>
  );
}
