import { Camera, ImagePlus } from 'lucide-react';
import { useRef, type ChangeEvent } from 'react';
import { useMediaQuery } from '../../lib/media-query.ts';
import { loadCamera } from '../../platform/load-camera.ts';
import { isNative } from '../../platform/native-platform.ts';
import { Button } from '../../ui/button.tsx';

/** Where a picture comes from; null: the owner thought better of it. */
export type PictureSource = () => Promise<Blob | null>;

export interface PictureInputsProps {
  /** One was chosen already. */
  readonly isChosen: boolean;
  readonly onOpen: (source: PictureSource) => void;
}

const takeWithSystem: PictureSource = async () => (await loadCamera())?.takePhoto() ?? null;

/** The ways to a picture. Where there is a mouse there is no camera to point at a dog, but something to drop. */
export function PictureInputs({ isChosen, onOpen }: PictureInputsProps) {
  const hasFinger = useMediaQuery('(pointer: coarse)');
  const chooseRef = useRef<HTMLInputElement>(null);
  const takeRef = useRef<HTMLInputElement>(null);

  const read = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    const file = target.files?.[0];
    if (file !== undefined) onOpen(async () => file);
    // The same file may be chosen again.
    target.value = '';
  };

  const take = (): void => {
    if (isNative()) onOpen(takeWithSystem);
    else takeRef.current?.click();
  };

  return (
    <>
      <div className="flex flex-wrap justify-center gap-3">
        <Button kind={isChosen ? 'quiet' : 'primary'} onClick={() => chooseRef.current?.click()}>
          <ImagePlus aria-hidden size={20} />
          {isChosen ? 'Choose another' : 'Choose a picture'}
        </Button>
        {(hasFinger || isNative()) && (
          <Button onClick={take}>
            <Camera aria-hidden size={20} />
            Take a photo
          </Button>
        )}
      </div>
      {!hasFinger && (
        <p className="text-center text-ink-soft">Or drop one anywhere on this page.</p>
      )}
      <input ref={chooseRef} type="file" accept="image/*" hidden onChange={read} />
      <input
        ref={takeRef}
        type="file"
        accept="image/*"
        capture="environment"
        hidden
        onChange={read}
      />
    </>
  );
}
