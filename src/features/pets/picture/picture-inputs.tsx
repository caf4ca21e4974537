import { Camera, ImagePlus } from 'lucide-react';
import { useAtomValue } from 'jotai';
import { useRef, type ChangeEvent } from 'react';
import { useMediaQuery } from '../../../lib/dom/media-query.ts';
import { cameraAtom, type Camera as SystemCamera } from '../../../platform/media/camera.ts';
import { Button } from '../../../ui/button.tsx';
import { CameraError } from './picture-copy.ts';

/** Where a picture comes from; null: the owner thought better of it. */
export type PictureSource = () => Promise<Blob | null>;

export interface PictureInputsProps {
  /** One was chosen already. */
  readonly isChosen: boolean;
  readonly onOpen: (source: PictureSource) => void;
}

async function fromCamera(source: PictureSource): Promise<Blob | null> {
  try {
    return await source();
  } catch (error) {
    throw new CameraError('The camera could not be used', { cause: error });
  }
}

/** The ways to a picture. Where there is a mouse there is no camera to point at a dog, but something to drop. */
export function PictureInputs({ isChosen, onOpen }: PictureInputsProps) {
  const camera = useAtomValue(cameraAtom);
  const hasFinger = useMediaQuery('(pointer: coarse)');
  const chooseRef = useRef<HTMLInputElement>(null);
  const takeRef = useRef<HTMLInputElement>(null);

  const read = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    const file = target.files?.[0];
    if (file !== undefined) onOpen(async () => file);
    // The same file may be chosen again.
    target.value = '';
  };

  /** The wrapper asks with the system's own windows. */
  const ask = (
    request: (from: SystemCamera) => Promise<Blob | null>,
    input: HTMLInputElement | null,
  ): void => {
    if (camera === null) input?.click();
    else onOpen(() => fromCamera(() => request(camera)));
  };

  return (
    <>
      <div className="flex flex-wrap justify-center gap-3">
        <Button
          kind={isChosen ? 'quiet' : 'primary'}
          onClick={() => ask((from) => from.choose(), chooseRef.current)}
        >
          <ImagePlus aria-hidden size={20} />
          {isChosen ? 'Choose another' : 'Choose a picture'}
        </Button>
        {(hasFinger || camera !== null) && (
          <Button onClick={() => ask((from) => from.take(), takeRef.current)}>
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
