import { useNavigate } from '@tanstack/react-router';
import { PawPrint } from 'lucide-react';
import { useState, type SyntheticEvent } from 'react';
import * as v from 'valibot';
import { somethingWentWrong } from '../../../schemas/messages.ts';
import { petNameSchema } from '../../../schemas/pet.ts';
import { CommandError } from '../../data/commands.ts';
import { useData } from '../../data/data-context.ts';
import { useSaveSignal } from '../../lib/use-save-signal.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { TextField } from '../../ui/text-field.tsx';

const nameFieldId = 'pet-name';

export function CreatePetPage() {
  const { commands } = useData();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [nameProblem, setNameProblem] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const [isSaving, setIsSaving] = useState(false);

  const create = async (checkedName: string): Promise<void> => {
    setIsSaving(true);
    setFailure(undefined);
    try {
      const petId = await commands.createPet({ name: checkedName });
      await navigate({ to: '/pets/$petId/profile', params: { petId }, replace: true });
    } catch (error) {
      setFailure(error instanceof CommandError ? error.message : somethingWentWrong);
      setIsSaving(false);
    }
  };

  const save = (): void => {
    if (isSaving) return;
    const checked = v.safeParse(petNameSchema, name);
    setNameProblem(checked.success ? undefined : checked.issues[0].message);
    if (checked.success) void create(checked.output);
    else document.querySelector<HTMLInputElement>(`[name="${nameFieldId}"]`)?.focus();
  };

  useSaveSignal(save);

  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    save();
  };

  return (
    <div className="flex-1 overflow-y-auto">
      <form
        noValidate
        onSubmit={submit}
        className="mx-auto flex w-full max-w-md flex-col gap-6 px-6 py-6"
      >
        <PawPrint aria-hidden size={56} className="self-center text-moss" />
        {failure !== undefined && <ProblemNote>{failure}</ProblemNote>}
        <TextField
          label="Pet Name"
          name={nameFieldId}
          value={name}
          problem={nameProblem}
          autoFocus
          autoComplete="off"
          autoCapitalize="words"
          enterKeyHint="done"
          onChange={(event) => {
            setName(event.target.value);
            setNameProblem(undefined);
          }}
        />
      </form>
    </div>
  );
}
