import { useEffect, useRef } from 'react';
import type { SharedFile } from '../../../schemas/local/shared-item.ts';
import { classNames } from '../../lib/dom/class-names.ts';
import { Button } from '../../ui/button.tsx';

export interface SharedImageProps {
  readonly file: SharedFile;
  /** Its size and place. */
  readonly className: string;
}

/** A shared photo; nothing if it was not stored. */
export function SharedImage({ file: { bytes, contentType }, className }: SharedImageProps) {
  const ref = useRef<HTMLImageElement>(null);
  useEffect(() => {
    const image = ref.current;
    if (bytes === null || image === null) return undefined;
    const made = URL.createObjectURL(new Blob([bytes], { type: contentType }));
    image.src = made;
    return () => URL.revokeObjectURL(made);
  }, [bytes, contentType]);
  if (bytes === null) return null;
  return <img ref={ref} alt="" className={classNames('max-w-full rounded-card', className)} />;
}

export interface SharedPictureProps {
  readonly file: SharedFile;
  readonly onUse: () => void;
}

/** A shared photo. It can only become a dog's picture, and the text says so, because the journal holds no photos. */
export function SharedPicture({ file, onUse }: SharedPictureProps) {
  return (
    <>
      <SharedImage file={file} className="max-h-60 self-center" />
      <p>A journal has notes and voice notes, no photos. This one can be the profile picture.</p>
      <Button kind="primary" onClick={onUse}>
        Use as profile picture
      </Button>
    </>
  );
}
