import { useRef, useState } from 'react';
import { breeds } from '../../../../schemas/forms/breeds.ts';
import type { Pet } from '../../../../schemas/documents/document.ts';
import { petDescriptionMaxLength } from '../../../../schemas/limits.ts';
import { dobEarliest } from '../../../../schemas/forms/pet-edit.ts';
import { commandErrorCopy } from '../../../data/commands/commands.ts';
import { useData } from '../../../data/data-context.ts';
import { descriptionDraft, descriptionDrafts } from '../../../data/edit-draft.ts';
import { forgetDraft, readDraft, writeDraft } from '../../../lib/draft.ts';
import { useToday } from '../../../lib/dates/now.ts';
import { useSaveOnce } from '../../../lib/react/use-save-once.ts';
import { useSaveSignal } from '../../../lib/react/use-save-signal.ts';
import { FormPage } from '../../../ui/fields/form-page.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { TextAreaField } from '../../../ui/fields/text-area-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { LeftDrafts } from '../../../ui/left-drafts.tsx';
import {
  checkDetails,
  dateIn,
  petDetails,
  petDetailNames,
  type PetDetailName,
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
  const draft = descriptionDraft(uid, pet.id, opened.values.description);
  const [begun] = useState(() => readDraft(draft));
  const entered = useFormMemory('entered', () => ({
    ...opened.values,
    description: begun || opened.values.description,
  }));
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
      forgetDraft(draft, entered.values.description);
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
    onChange: ({ target: { value } }: { readonly target: { readonly value: string } }) => {
      opened.set({});
      entered.set({ [name]: value });
      // The one long text here is kept like that of a note.
      if (name === 'description') writeDraft(draft, value === opened.values[name] ? '' : value);
      setProblems({ ...problems, [name]: undefined });
    },
  });

  const { breed: openedBreed } = opened.values;
  return { field, save, failure: saving.failure, today, openedBreed, draft, isDraft: begun !== '' };
}

function EditDetailsForm(props: EditDetailsFormProps) {
  const { field, save, failure, today, openedBreed, draft, isDraft } = useDetailsForm(props);
  const isListed = breeds.some(({ label }) => label === openedBreed);
  return (
    <FormPage failure={failure} submitLabel="Save details" onSubmit={save}>
      <TextField
        label="Pet Name"
        dir="auto"
        autoComplete="off"
        autoCapitalize="words"
        {...field('name')}
      />
      <SelectField label="Breed" {...field('breed')}>
        <option value="">Not set</option>
        {!isListed && openedBreed !== '' && <option>{openedBreed}</option>}
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
        hint={isDraft ? 'You typed this before. It is not saved yet.' : undefined}
        {...field('description')}
      />
      <LeftDrafts owner={draft.owner} name={descriptionDrafts(props.pet.id)} except={draft.name} />
    </FormPage>
  );
}
