import { useRef, useState } from 'react';
import { breeds } from '../../../../schemas/forms/breeds.ts';
import type { Pet } from '../../../../schemas/documents/document.ts';
import { petDescriptionMaxLength } from '../../../../schemas/limits.ts';
import { dobEarliest } from '../../../../schemas/forms/pet-edit.ts';
import { commandErrorCopy } from '../../../data/commands/commands.ts';
import { useData } from '../../../data/data-context.ts';
import { detailDrafts, draftOver } from '../../../data/edit-draft.ts';
import { forgetDraft, readDraft, writeDraft, type DraftPlace } from '../../../lib/draft.ts';
import { useToday } from '../../../lib/dates/now.ts';
import { useSaveOnce } from '../../../lib/react/use-save-once.ts';
import { useSaveSignal } from '../../../lib/react/use-save-signal.ts';
import { FormPage } from '../../../ui/fields/form-page.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { TextAreaField } from '../../../ui/fields/text-area-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { LeftDrafts } from '../../../ui/leftovers/left-drafts.tsx';
import {
  checkDetails,
  dateIn,
  petDetails,
  petDetailNames,
  type PetDetailName,
  type PetDetails,
} from './pet-details.ts';
import type { PetFormPageProps } from './set-breed-page.tsx';
import { useFormMemory } from './use-form-memory.ts';
import { WithPet } from '../with-pet.tsx';

export function EditDetailsPage({ petId, onSaved }: PetFormPageProps) {
  return (
    <WithPet petId={petId}>{(pet) => <EditDetailsForm pet={pet} onSaved={onSaved} />}</WithPet>
  );
}

interface EditDetailsFormProps {
  readonly pet: Pet;
  readonly onSaved: () => Promise<void>;
}

function useDetailsForm({ pet, onSaved }: EditDetailsFormProps) {
  const { uid, commands } = useData();
  const saving = useSaveOnce(commandErrorCopy);
  const today = useToday();
  const boxes = useRef(new Map<PetDetailName, HTMLElement>());
  const opened = useFormMemory('opened', () => petDetails(pet));
  const draftsOf = (name: PetDetailName): DraftPlace => ({
    owner: uid,
    name: detailDrafts(pet.id, name),
  });
  const draftOf = (name: PetDetailName): DraftPlace =>
    draftOver(draftsOf(name), opened.values[name]);
  const [begun] = useState((): Partial<PetDetails> => {
    const drafts = petDetailNames.map((name) => [name, readDraft(draftOf(name))] as const);
    return Object.fromEntries(drafts.filter(([, draft]) => draft !== ''));
  });
  const entered = useFormMemory('entered', () => ({ ...opened.values, ...begun }));
  const [problems, setProblems] = useState<Readonly<Partial<Record<PetDetailName, string>>>>({});

  const save = (): void => {
    const dob = dateIn(boxes.current.get('dob'), entered.values.dob);
    const checked = checkDetails(opened.values, { ...entered.values, dob }, today);
    setProblems(checked.problems ?? {});
    if (checked.changes === null) {
      const first = petDetailNames.find((name) => checked.problems[name] !== undefined);
      if (first !== undefined) boxes.current.get(first)?.focus();
      return;
    }
    const { changes } = checked;
    saving.run(async () => {
      const write = async () => (await commands()).updatePet(pet.id, changes, opened.values);
      if (Object.keys(changes).length > 0) await opened.saving(() => entered.saving(write));
      for (const name of petDetailNames) forgetDraft(draftOf(name), entered.values[name]);
      await onSaved();
    });
  };

  useSaveSignal(save);

  const field = (name: PetDetailName) => ({
    ref: (box: HTMLElement | null) => {
      if (box !== null) boxes.current.set(name, box);
    },
    value: entered.values[name],
    problem: problems[name],
    hint: begun[name] && 'You entered this before. It is not saved yet.',
    onChange: ({ target: { value } }: { readonly target: { readonly value: string } }) => {
      opened.set({});
      entered.set({ [name]: value });
      // Each is kept like the text of a note. A field that was emptied has no draft: nothing that was typed is lost.
      writeDraft(draftOf(name), value === opened.values[name] ? '' : value);
      setProblems({ ...problems, [name]: undefined });
    },
  });

  return { field, save, failure: saving.failure, today, opened: opened.values, draftsOf, draftOf };
}

function EditDetailsForm(props: EditDetailsFormProps) {
  const { field, save, failure, today, opened, draftsOf, draftOf } = useDetailsForm(props);
  const isListed = breeds.some(({ label }) => label === opened.breed);
  return (
    <FormPage failure={failure} submitLabel="Save details" onSubmit={save}>
      <TextField
        label="Pet Name"
        aria-required
        dir="auto"
        autoComplete="off"
        autoCapitalize="words"
        {...field('name')}
      />
      <SelectField label="Breed" {...field('breed')}>
        <option value="">Not set</option>
        {!isListed && opened.breed !== '' && <option>{opened.breed}</option>}
        {breeds.map(({ value, label }) => (
          <option key={value}>{label}</option>
        ))}
      </SelectField>
      <TextField
        label="Date of Birth"
        type="date"
        min={dobEarliest}
        max={today}
        {...field('dob')}
      />
      <TextAreaField
        label="Description"
        rows={5}
        limit={petDescriptionMaxLength}
        {...field('description')}
      />
      {petDetailNames.map((name) => (
        <LeftDrafts
          key={name}
          {...draftsOf(name)}
          except={draftOf(name).name}
          saved={opened[name]}
        />
      ))}
    </FormPage>
  );
}
