import Camera from 'lucide-react/icons/camera';
import ImagePlus from 'lucide-react/icons/image-plus';
import { useAtomValue } from 'jotai';
import { useRef, type ChangeEvent } from 'react';
import { useMediaQuery } from '../../../lib/dom/media-query.ts';
import { cameraAtom, type Camera as SystemCamera } from '../../../platform/media/camera.ts';
import { Button } from '../../../ui/button.tsx';
import { CameraError } from './picture-copy.ts';

/** A source of a picture. It resolves to null if the owner cancels. */
export type PictureSource = () => Promise<Blob | null>;

export interface PictureInputsProps {
  /** Whether a picture was chosen already. */
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

/** The controls to choose a picture: a camera on touch devices, and a drop target on devices with a mouse. */
export function PictureInputs({ isChosen, onOpen }: PictureInputsProps) {
  const camera = useAtomValue(cameraAtom);
  const hasFinger = useMediaQuery('(pointer: coarse)');
  const chooseRef = useRef<HTMLInputElement>(null);
  const takeRef = useRef<HTMLInputElement>(null);

  const read = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    const file = target.files?.[0];
    if (file !== undefined) onOpen(async () => file);
    // Clearing the value lets the owner choose the same file again.
    target.value = '';
  };

  /** Opens the system's own window in the wrapper, or the file input in a browser. */
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
