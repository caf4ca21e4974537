import { useEffect, useRef } from 'react';
import type { SharedFile } from '../../../schemas/local/shared-item.ts';
import { Button } from '../../ui/button.tsx';

export interface SharedPictureProps {
  readonly file: SharedFile;
  readonly onUse: () => void;
}

/** A shared photo. It can only become a dog's picture, and the text says so, because the journal holds no photos. */
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
