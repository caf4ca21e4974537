import {
  useEffect,
  useId,
  useRef,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
} from 'react';
import {
  maxZoomOf,
  movedCrop,
  squareOf,
  withinPicture,
  type SquareCrop,
} from '../../../lib/media/square-crop.ts';
import type { OpenPicture } from '../../../platform/media/picture-file.ts';

export interface PictureCropProps {
  readonly picture: OpenPicture;
  readonly crop: SquareCrop;
  readonly onChange: (crop: SquareCrop) => void;
}

/** The edge of the canvas, in pixels: twice its shown size, for screens with two pixels per CSS pixel. */
const shownEdge = 640;
/** The distance that a finger may move during a tap, in CSS pixels. */
const tapSlackPx = 6;

/** The moves by key, as fractions of the square's edge. */
const arrowMoves: Readonly<Record<string, { readonly x: number; readonly y: number }>> = {
  ArrowLeft: { x: -0.05, y: 0 },
  ArrowRight: { x: 0.05, y: 0 },
  ArrowUp: { x: 0, y: -0.05 },
  ArrowDown: { x: 0, y: 0.05 },
};

/** The square that is saved. It moves by dragging, by a tap on its new centre, or by the arrow keys. */
export function PictureCrop({ picture, crop, onChange }: PictureCropProps) {
  const canvasRef = useRef<HTMLCanvasElement>(null);
  const seenRef = useRef<OpenPicture>(null);
  const dragRef = useRef<{ x: number; y: number; crop: SquareCrop; isTap: boolean } | null>(null);
  const hintId = useId();
  const maxZoom = maxZoomOf(picture);

  useEffect(() => {
    const canvas = canvasRef.current;
    if (canvas !== null) picture.draw(canvas, squareOf(picture, crop));
    if (seenRef.current === picture) return;
    seenRef.current = picture;
    // On a phone held sideways, the buttons that have chosen the picture are far below it.
    canvas?.scrollIntoView({ block: 'nearest' });
  }, [picture, crop]);

  const begin = (event: PointerEvent): void => {
    const { clientX: x, clientY: y, currentTarget, pointerId, isPrimary } = event;
    if (!isPrimary) return;
    currentTarget.setPointerCapture(pointerId);
    dragRef.current = { x, y, crop, isTap: true };
  };

  const drag = (event: PointerEvent): void => {
    const { clientX, clientY, buttons, currentTarget, isPrimary } = event;
    const begun = dragRef.current;
    if (begun === null || buttons === 0 || !isPrimary) return;
    const [x, y] = [begun.x - clientX, begun.y - clientY];
    if (Math.hypot(x, y) > tapSlackPx) begun.isTap = false;
    if (begun.isTap) return;
    const edge = currentTarget.clientWidth;
    onChange(movedCrop(picture, begun.crop, { x: x / edge, y: y / edge }));
  };

  const tap = (event: MouseEvent): void => {
    const wasTap = dragRef.current?.isTap === true;
    dragRef.current = null;
    if (!wasTap) return;
    const box = event.currentTarget.getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width - 0.5;
    const y = (event.clientY - box.top) / box.height - 0.5;
    onChange(movedCrop(picture, crop, { x, y }));
  };

  const forget = (): void => {
    dragRef.current = null;
  };

  const moveByKey = (event: KeyboardEvent): void => {
    const by = arrowMoves[event.key];
    if (by === undefined) return;
    event.preventDefault();
    onChange(movedCrop(picture, crop, by));
  };

  return (
    <div className="flex flex-col gap-4">
      <button
        type="button"
        aria-label="Move the picture"
        aria-describedby={hintId}
        className="aspect-square w-full max-w-[min(20rem,42dvh)] cursor-grab touch-none self-center overflow-hidden rounded-card bg-card-strong active:cursor-grabbing"
        onPointerDown={begin}
        onPointerMove={drag}
        onPointerCancel={forget}
        onClick={tap}
        onKeyDown={moveByKey}
      >
        <canvas
          ref={canvasRef}
          width={shownEdge}
          height={shownEdge}
          className="size-full scroll-my-4"
        />
      </button>
      <p id={hintId} className="text-center text-ink-soft">
        Drag the picture, or tap what should be in the middle.
        <span className="pointer-coarse:hidden"> The arrow keys move it too.</span>
      </p>
      {maxZoom > 1 && (
        <label className="flex min-h-11 items-center gap-4">
          <span>Zoom</span>
          <input
            type="range"
            min={1}
            max={maxZoom}
            step={0.01}
            value={crop.zoom}
            className="h-11 flex-1 accent-moss"
            onChange={({ target }) =>
              onChange(withinPicture(picture, { ...crop, zoom: target.valueAsNumber }))
            }
          />
        </label>
      )}
    </div>
  );
}
