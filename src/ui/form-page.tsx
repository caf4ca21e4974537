import type { ReactNode, SyntheticEvent } from 'react';
import { ProblemNote } from './problem-note.tsx';

export interface FormPageProps {
  /** Why what was sent could not be done. */
  readonly failure?: string | null;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

/** A page that is one form; the header has its Save button. */
export function FormPage({ failure = null, onSubmit, children }: FormPageProps) {
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <div className="flex-1 overflow-y-auto">
      <form
        noValidate
        onSubmit={submit}
        className="mx-auto grid w-full max-w-md grid-cols-1 gap-6 px-6 pt-4 pb-[max(2rem,env(safe-area-inset-bottom))]"
      >
        {failure !== null && <ProblemNote>{failure}</ProblemNote>}
        {children}
        {/* Without one, Enter sends only forms of a single box. */}
        <button type="submit" hidden />
      </form>
    </div>
  );
}
