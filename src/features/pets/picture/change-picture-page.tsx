import { useState, type ReactNode } from 'react';
import type { Pet } from '../../../../schemas/documents/document.ts';
import { useData } from '../../../data/data-context.ts';
import { classNames } from '../../../lib/dom/class-names.ts';
import { centreCrop, squareOf, type SquareCrop } from '../../../lib/media/square-crop.ts';
import { useSaveOnce } from '../../../lib/react/use-save-once.ts';
import type { OpenPicture } from '../../../platform/media/picture-file.ts';
import { FormPage } from '../../../ui/fields/form-page.tsx';
import { PetPicture } from './pet-picture.tsx';
import { PictureCrop } from './picture-crop.tsx';
import { PictureInputs } from './picture-inputs.tsx';
import { pictureErrorCopy } from './picture-copy.ts';
import { PictureState } from './picture-state.tsx';
import { readSharedPhoto, removeSharedPhoto, type SharedPhoto } from './shared-photo.ts';
import type { PetFormPageProps } from '../edit/set-breed-page.tsx';
import { useOfferedFile } from './use-offered-file.ts';
import { usePictureFile, type PictureFile } from './use-picture-file.ts';
import { PetLine, WithPet } from '../with-pet.tsx';

export interface ChangePicturePageProps extends PetFormPageProps {
  /** The photo to start with; null if none was shared. */
  readonly shared: SharedPhoto | null;
}

export function ChangePicturePage({ petId, shared, onSaved }: ChangePicturePageProps) {
  return (
    <WithPet petId={petId}>
      {(pet) => <ChangePictureForm pet={pet} shared={shared} onSaved={onSaved} />}
    </WithPet>
  );
}

interface ChangePictureFormProps {
  readonly pet: Pet;
  readonly shared: SharedPhoto | null;
  readonly onSaved: () => Promise<void>;
}

interface Adjusted {
  readonly picture: OpenPicture;
  readonly crop: SquareCrop;
}

function ChangePictureForm({ pet, shared, onSaved }: ChangePictureFormProps) {
  const { files } = useData();
  const readShared = async (photo: SharedPhoto) => readSharedPhoto(await files.load(), photo);
  const file = usePictureFile(shared === null ? null : () => readShared(shared));
  const saving = useSaveOnce(pictureErrorCopy);
  const [adjusted, setAdjusted] = useState<Adjusted | null>(null);
  const { picture } = file;
  const crop = adjusted !== null && adjusted.picture === picture ? adjusted.crop : centreCrop;

  const open: PictureFile['open'] = (source) => {
    saving.forget();
    file.open(source);
  };
  const isOver = useOfferedFile((offered) => open(async () => offered));

  const save = (): void => {
    if (picture === null) return;
    saving.run(async () => {
      const bytes = await picture.toJpeg(squareOf(picture, crop));
      const opened = await files.load();
      await opened.setProfilePicture(pet.id, { bytes, contentType: 'image/jpeg' });
      if (shared !== null && file.isFirst) await removeSharedPhoto(opened, shared);
      await onSaved();
    });
  };

  return (
    <FormPage
      failure={saving.failure ?? file.problem}
      {...(picture !== null && { submitLabel: 'Save picture' })}
      onSubmit={save}
    >
      <PetLine pet={pet} />
      {picture === null ? (
        <Frame isOver={isOver}>
          <PetPicture pet={pet} shape="portrait" />
        </Frame>
      ) : (
        <PictureCrop
          picture={picture}
          crop={crop}
          onChange={(next) => setAdjusted({ picture, crop: next })}
        />
      )}
      <p role="status" className="text-center text-ink-soft empty:sr-only">
        {file.isReading && 'Reading the picture…'}
      </p>
      {picture === null && <PictureState petId={pet.id} />}
      <PictureInputs isChosen={picture !== null} onOpen={open} />
    </FormPage>
  );
}

interface FrameProps {
  readonly isOver: boolean;
  readonly children: ReactNode;
}

function Frame({ isOver, children }: FrameProps) {
  return (
    <div
      className={classNames(
        'flex w-full max-w-80 justify-center self-center justify-self-center rounded-card outline-offset-4',
        isOver && 'outline-3 outline-moss outline-dashed',
      )}
    >
      {children}
    </div>
  );
}
