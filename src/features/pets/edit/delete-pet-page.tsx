import Download from 'lucide-react/icons/download';
import { useEffect, useRef, useState } from 'react';
import type { Pet } from '../../../../schemas/documents/document.ts';
import { commandErrorCopy } from '../../../data/commands/commands.ts';
import { useData } from '../../../data/data-context.ts';
import { useFetchedOnce } from '../../../data/queries/use-fetched-once.ts';
import { useExport } from '../../../data/transfer/use-export.ts';
import type { JournalSize } from '../../../data/queries/queries.ts';
import { eraseDrafts } from '../../../lib/draft.ts';
import { useSaveOnce } from '../../../lib/react/use-save-once.ts';
import { saveFile } from '../../../platform/save-file.ts';
import { Button } from '../../../ui/button.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { goingText } from './pet-deletion.ts';
import { PetLine, WithPet } from '../with-pet.tsx';

export interface DeletePetPageProps {
  readonly petId: string;
  readonly onCancel: () => void;
  /** Navigates away after the deletion. */
  readonly onDeleted: () => Promise<void>;
}

export function DeletePetPage({ petId, onCancel, onDeleted }: DeletePetPageProps) {
  const { uid, commands } = useData();
  const isFetched = useFetchedOnce();
  const deleting = useSaveOnce(commandErrorCopy);
  /** The dog stays on screen until the navigation away ends. */
  const [leaving, setLeaving] = useState<Pet | null>(null);

  const remove = (pet: Pet): void => {
    setLeaving(pet);
    deleting.run(async () => {
      await (await commands()).deletePet(petId);
      eraseDrafts(uid, petId);
      await onDeleted();
    });
  };

  if (leaving !== null && deleting.failure === null) return <PetBehind pet={leaving} />;
  return (
    <WithPet petId={petId}>
      {(pet) => (
        <>
          <PetBehind pet={pet} />
          <DeletePetDialog
            pet={pet}
            isFetched={isFetched}
            failure={deleting.failure}
            onCancel={onCancel}
            onDelete={() => remove(pet)}
          />
        </>
      )}
    </WithPet>
  );
}

function PetBehind({ pet }: { readonly pet: Pet }) {
  return (
    <div className="page-column pt-4">
      <PetLine pet={pet} />
    </div>
  );
}

/** Counts the journal of a dog once it is fetched. The dialog of another dog is mounted anew. */
function useJournalSize(petId: string, isFetched: boolean): JournalSize | null {
  const { queries } = useData();
  const [size, setSize] = useState<JournalSize | null>(null);
  useEffect(() => {
    // A journal that cannot be counted can still be deleted; the dialog shows no numbers then.
    if (isFetched) queries.journalSize(petId).then(setSize, () => undefined);
  }, [queries, petId, isFetched]);
  return size;
}

interface DeletePetDialogProps {
  readonly pet: Pet;
  readonly isFetched: boolean;
  readonly failure: string | null;
  readonly onCancel: () => void;
  readonly onDelete: () => void;
}

function DeletePetDialog({ pet, isFetched, failure, onCancel, onDelete }: DeletePetDialogProps) {
  const size = useJournalSize(pet.id, isFetched);
  const exporting = useExport({ kind: 'pet', petId: pet.id }, saveFile);
  const cancelRef = useRef<HTMLButtonElement>(null);

  // This runs after the modal has focused its first button. On a small screen the dialog stays at its title.
  useEffect(() => cancelRef.current?.focus({ preventScroll: true }), []);

  const problem = failure ?? exporting.problem;
  return (
    <Modal
      title="Delete Pet's Profile"
      placement="centre"
      role="alertdialog"
      isPage
      onClose={onCancel}
    >
      <div className="mt-3 grid grid-cols-1 gap-4">
        <p className="wrap-anywhere">{goingText(pet, size)}</p>
        <p className="text-ink-soft">
          {`There is no way back. An export keeps a copy of ${isFetched ? 'it all' : 'what this device has so far'} in a file.`}
        </p>
        <Button className="justify-self-start" onClick={exporting.start}>
          <Download aria-hidden size={20} />
          Export
        </Button>
        <p role="status" className="wrap-anywhere text-ink-soft empty:sr-only">
          {exporting.status}
        </p>
        {problem !== null && <ProblemNote>{problem}</ProblemNote>}
      </div>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button ref={cancelRef} onClick={onCancel}>
          Cancel
        </Button>
        <Button kind="danger" aria-disabled={exporting.isBusy} onClick={onDelete}>
          Delete
        </Button>
      </div>
    </Modal>
  );
}
