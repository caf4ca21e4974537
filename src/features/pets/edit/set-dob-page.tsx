import { useRef, useState } from 'react';
import * as v from 'valibot';
import type { Pet } from '../../../../schemas/documents/document.ts';
import { dobEarliest, dobSchema } from '../../../../schemas/forms/pet-edit.ts';
import { commandErrorCopy } from '../../../data/commands/commands.ts';
import { useData } from '../../../data/data-context.ts';
import { ageText } from '../../../lib/dates/age-text.ts';
import { useToday } from '../../../lib/dates/now.ts';
import { useSaveOnce } from '../../../lib/react/use-save-once.ts';
import { useSaveSignal } from '../../../lib/react/use-save-signal.ts';
import { FormPage } from '../../../ui/fields/form-page.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import type { PetFormPageProps } from './set-breed-page.tsx';
import { dateIn } from './pet-details.ts';
import { useFormMemory } from './use-form-memory.ts';
import { PetLine, WithPet } from '../with-pet.tsx';

export function SetDobPage({ petId, onSaved }: PetFormPageProps) {
  return <WithPet petId={petId}>{(pet) => <SetDobForm pet={pet} onSaved={onSaved} />}</WithPet>;
}

interface SetDobFormProps {
  readonly pet: Pet;
  readonly onSaved: () => Promise<void>;
}

function SetDobForm({ pet, onSaved }: SetDobFormProps) {
  const { commands } = useData();
  const saving = useSaveOnce(commandErrorCopy);
  const today = useToday();
  const boxRef = useRef<HTMLInputElement>(null);
  const kept = useFormMemory('dob', () => ({
    dob: pet.fields.dob ?? today,
    opened: pet.fields.dob ?? '',
  }));
  const { dob, opened } = kept.values;
  const [problem, setProblem] = useState<string>();
  const check = (date: string) => v.safeParse(dobSchema(today), date);

  const save = (): void => {
    const checked = check(dateIn(boxRef.current, dob));
    setProblem(checked.success ? undefined : checked.issues[0].message);
    if (!checked.success) {
      boxRef.current?.focus();
      return;
    }
    saving.run(async () => {
      await kept.saving(async () =>
        (await commands()).updatePet(pet.id, { dob: checked.output }, { dob: opened }),
      );
      await onSaved();
    });
  };

  useSaveSignal(save);

  return (
    <FormPage failure={saving.failure} submitLabel="Save date of birth" onSubmit={save}>
      <PetLine pet={pet} />
      <TextField
        ref={boxRef}
        label="Date of Birth"
        type="date"
        value={dob}
        min={dobEarliest}
        max={today}
        required
        problem={problem}
        onChange={(event) => {
          kept.set({ dob: event.target.value });
          setProblem(undefined);
        }}
      />
      <p aria-live="polite" className="text-ink-soft">
        {check(dob).success ? `${ageText(dob, today)} old` : ''}
      </p>
    </FormPage>
  );
}
