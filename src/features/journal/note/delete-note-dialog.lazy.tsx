import { Button } from '../../../ui/button.tsx';
import { Modal } from '../../../ui/modal.tsx';

export interface DeleteNoteDialogProps {
  readonly onCancel: () => void;
  readonly onDelete: () => void;
}

export function DeleteNoteDialog({ onCancel, onDelete }: DeleteNoteDialogProps) {
  return (
    <Modal title="Delete this entry?" placement="centre" role="alertdialog" onClose={onCancel}>
      <p className="mt-3">
        It goes from the journal on all your devices. You can undo that for ten seconds.
      </p>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button onClick={onCancel}>Cancel</Button>
        <Button kind="danger" onClick={onDelete}>
          Delete
        </Button>
      </div>
    </Modal>
  );
}
