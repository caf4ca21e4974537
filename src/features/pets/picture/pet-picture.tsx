import { useEffect, useMemo } from 'react';
import type { Pet } from '../../../../schemas/documents/document.ts';
import { useData } from '../../../data/data-context.ts';
import { liveInside } from '../../../lib/async/lazy-service.ts';
import { useLive } from '../../../lib/async/live.ts';
import { InitialPicture, type InitialPictureProps } from '../../../ui/initial-picture.tsx';

export interface PetPictureProps extends Pick<InitialPictureProps, 'shape'> {
  readonly pet: Pet;
}

/** Returns the address of the picture; null or undefined while this device does not have it. */
export function usePictureUrl(pet: Pet): string | null | undefined {
  const { files } = useData();
  return useLive(useMemo(() => liveInside(files, (opened) => opened.picture(pet)), [files, pet]));
}

/** The dog's picture, or its initial while there is none. */
export function PetPicture({ pet, shape }: PetPictureProps) {
  const { files } = useData();
  const url = usePictureUrl(pet);
  const isExpected = pet.fields.profilePicturePath !== undefined;
  useEffect(() => {
    if (isExpected) files.load().catch(() => undefined);
  }, [files, isExpected]);
  return <InitialPicture name={pet.fields.name ?? ''} id={pet.id} shape={shape} url={url} />;
}
