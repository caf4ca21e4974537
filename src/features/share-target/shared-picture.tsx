import { useEffect, useRef } from 'react';
import type { SharedFile } from '../../../schemas/local/shared-item.ts';
import { Button } from '../../ui/button.tsx';

export interface SharedPictureProps {
  readonly file: SharedFile;
  readonly onUse: () => void;
}

/** The one place for a picture is a dog's profile: nobody is left to think that the journal has it. */
export function SharedPicture({ file: { bytes, contentType }, onUse }: SharedPictureProps) {
  const ref = useRef<HTMLImageElement>(null);
  useEffect(() => {
    const image = ref.current;
    if (bytes === null || image === null) return undefined;
    const made = URL.createObjectURL(new Blob([bytes], { type: contentType }));
    image.src = made;
    return () => URL.revokeObjectURL(made);
  }, [bytes, contentType]);
  return (
    <>
      <img ref={ref} alt="" className="max-h-60 max-w-full self-center rounded-card" />
      <p>A journal has notes and voice notes, no photos. This one can be the profile picture.</p>
      <Button kind="primary" onClick={onUse}>
        Use as profile picture
      </Button>
    </>
  );
}
