import { useRef, useState } from 'react';
import * as v from 'valibot';
import type { Pet } from '../../../../schemas/documents/document.ts';
import { breedSchema } from '../../../../schemas/forms/pet-edit.ts';
import { commandErrorCopy } from '../../../data/commands/commands.ts';
import { useData } from '../../../data/data-context.ts';
import { useSaveOnce } from '../../../lib/react/use-save-once.ts';
import { useSaveSignal } from '../../../lib/react/use-save-signal.ts';
import { FormPage } from '../../../ui/fields/form-page.tsx';
import { BreedPicker, matchingBreeds } from './breed-picker.tsx';
import { useFormMemory } from './use-form-memory.ts';
import { PetLine, WithPet } from '../with-pet.tsx';

export interface PetFormPageProps {
  readonly petId: string;
  /** Navigates away after the save. */
  readonly onSaved: () => Promise<void>;
}

export function SetBreedPage({ petId, onSaved }: PetFormPageProps) {
  return <WithPet petId={petId}>{(pet) => <SetBreedForm pet={pet} onSaved={onSaved} />}</WithPet>;
}

interface SetBreedFormProps {
  readonly pet: Pet;
  readonly onSaved: () => Promise<void>;
}

function SetBreedForm({ pet, onSaved }: SetBreedFormProps) {
  const { commands } = useData();
  const saving = useSaveOnce(commandErrorCopy);
  const kept = useFormMemory('breed', () => {
    const opened = pet.fields.breed ?? '';
    return { opened, chosen: opened, query: '' };
  });
  const { opened, chosen, query } = kept.values;
  const [problem, setProblem] = useState<string>();
  const searchRef = useRef<HTMLInputElement>(null);

  const save = (): void => {
    const [only, ...more] = query.trim() === '' ? [] : matchingBreeds(query);
    const meant = chosen === '' && more.length === 0 ? only?.label : chosen;
    const checked = v.safeParse(breedSchema, meant);
    setProblem(checked.success ? undefined : checked.issues[0].message);
    if (!checked.success) {
      // The problem is said above the list, which may be scrolled far down.
      searchRef.current?.focus();
      return;
    }
    kept.set({ chosen: checked.output });
    saving.run(async () => {
      await kept.saving(async () =>
        (await commands()).updatePet(pet.id, { breed: checked.output }, { breed: opened }),
      );
      await onSaved();
    });
  };

  useSaveSignal(save);

  return (
    <FormPage failure={saving.failure} submitLabel="Save breed" onSubmit={save}>
      <PetLine pet={pet} />
      <BreedPicker
        searchRef={searchRef}
        chosen={chosen}
        query={query}
        problem={problem}
        onSearch={(text) => kept.set({ query: text })}
        onChoose={(label) => {
          kept.set({ chosen: label });
          setProblem(undefined);
        }}
      />
    </FormPage>
  );
}
