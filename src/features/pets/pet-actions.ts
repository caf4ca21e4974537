import type { LucideIcon } from 'lucide-react';
import CalendarDays from 'lucide-react/icons/calendar-days';
import Dog from 'lucide-react/icons/dog';
import ImagePlus from 'lucide-react/icons/image-plus';
import Mic from 'lucide-react/icons/mic';
import NotebookPen from 'lucide-react/icons/notebook-pen';
import Pencil from 'lucide-react/icons/pencil';
import Share2 from 'lucide-react/icons/share-2';
import Trash2 from 'lucide-react/icons/trash-2';
import type { Pet } from '../../../schemas/documents/document.ts';

export interface PetAction {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly tone?: 'danger';
  readonly to:
    | '/pets/$petId/actions/add-note'
    | '/pets/$petId/actions/add-voice-note'
    | '/pets/$petId/actions/set-breed'
    | '/pets/$petId/actions/set-dob'
    | '/pets/$petId/actions/share'
    | '/pets/$petId/actions/change-profile-picture'
    | '/pets/$petId/actions/edit-details'
    | '/pets/$petId/delete';
}

/** The two most frequent actions, which come first. */
const newEntry: readonly PetAction[] = [
  { label: 'Add Note', icon: NotebookPen, to: '/pets/$petId/actions/add-note' },
  { label: 'Record Voice Note', icon: Mic, to: '/pets/$petId/actions/add-voice-note' },
];

const setBreed: PetAction = {
  label: 'Set Breed',
  icon: Dog,
  to: '/pets/$petId/actions/set-breed',
};

const setDob: PetAction = {
  label: 'Set Date of Birth',
  icon: CalendarDays,
  to: '/pets/$petId/actions/set-dob',
};

const share: PetAction = {
  label: 'Share with Trainer',
  icon: Share2,
  to: '/pets/$petId/actions/share',
};

const deleteProfile: PetAction = {
  label: 'Delete Profile',
  icon: Trash2,
  tone: 'danger',
  to: '/pets/$petId/delete',
};

const others: readonly PetAction[] = [
  share,
  {
    label: 'Change Profile Picture',
    icon: ImagePlus,
    to: '/pets/$petId/actions/change-profile-picture',
  },
  { label: 'Edit Details', icon: Pencil, to: '/pets/$petId/actions/edit-details' },
  deleteProfile,
];

/** Returns the actions on a dog in the order of its menu. A dog of a newer schema version cannot be edited. */
export function petActions({ code, fields: { breed, dob } }: Pet): readonly PetAction[] {
  if (code === 'newer-schema') return [...newEntry, share, deleteProfile];
  return [
    ...newEntry,
    ...(breed === undefined ? [setBreed] : []),
    ...(dob === undefined ? [setDob] : []),
    ...others,
  ];
}
