import { useRef, useState } from 'react';
import * as v from 'valibot';
import { petNameSchema } from '../../../../schemas/documents/pet.ts';
import { commandErrorCopy } from '../../../data/commands/commands.ts';
import { useData } from '../../../data/data-context.ts';
import { useSaveOnce } from '../../../lib/react/use-save-once.ts';
import { useSaveSignal } from '../../../lib/react/use-save-signal.ts';
import { FormPage } from '../../../ui/fields/form-page.tsx';
import { PawMark } from '../../../ui/paw-mark.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { useFormMemory } from './use-form-memory.ts';

export interface CreatePetPageProps {
  /** Navigates to the new dog. */
  readonly onCreated: (petId: string) => Promise<void>;
}

export function CreatePetPage({ onCreated }: CreatePetPageProps) {
  const { commands } = useData();
  const saving = useSaveOnce(commandErrorCopy);
  const boxRef = useRef<HTMLInputElement>(null);
  const kept = useFormMemory('create', () => ({ name: '' }));
  const [problem, setProblem] = useState<string>();

  const save = (): void => {
    const checked = v.safeParse(petNameSchema, kept.values.name);
    setProblem(checked.success ? undefined : checked.issues[0].message);
    if (!checked.success) {
      boxRef.current?.focus();
      return;
    }
    saving.run(async () => {
      await onCreated(
        await kept.saving(async () => (await commands()).createPet({ name: checked.output })),
      );
    });
  };

  useSaveSignal(save);

  return (
    <FormPage failure={saving.failure} submitLabel="Create pet" onSubmit={save}>
      <PawMark size={56} className="mt-2 justify-self-center text-moss" />
      <TextField
        ref={boxRef}
        label="Pet Name"
        aria-required
        dir="auto"
        value={kept.values.name}
        problem={problem}
        autoFocus
        autoComplete="off"
        autoCapitalize="words"
        enterKeyHint="done"
        onChange={(event) => {
          kept.set({ name: event.target.value });
          setProblem(undefined);
        }}
      />
    </FormPage>
  );
}
