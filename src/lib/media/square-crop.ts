export interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * The chosen square of a picture. The centre is a fraction of width and height, 0 to 1; zoom 1 is the largest square.
 */
export interface SquareCrop {
  readonly centreX: number;
  readonly centreY: number;
  readonly zoom: number;
}

/** A square in pixels of the picture. */
export interface Square {
  readonly x: number;
  readonly y: number;
  readonly edge: number;
}

export const centreCrop: SquareCrop = { centreX: 0.5, centreY: 0.5, zoom: 1 };

const zoomMax = 4;
/** The minimum edge in pixels, below which a square is too blurred. */
const edgeMin = 64;

const clamp = (value: number, low: number, high: number): number =>
  Math.min(Math.max(value, low), high);

/** Returns the maximum zoom, which is 1 for a small picture. The minimum is always 1. */
export function maxZoomOf({ width, height }: Size): number {
  return clamp(Math.min(width, height) / edgeMin, 1, zoomMax);
}

function edgeOf({ width, height }: Size, zoom: number): number {
  return Math.min(width, height) / zoom;
}

/** Returns the nearest crop whose square lies within the picture. */
export function withinPicture(size: Size, crop: SquareCrop): SquareCrop {
  const zoom = clamp(crop.zoom, 1, maxZoomOf(size));
  const half = edgeOf(size, zoom) / 2;
  const centre = (share: number, length: number): number =>
    clamp(share, half / length, 1 - half / length);
  return {
    zoom,
    centreX: centre(crop.centreX, size.width),
    centreY: centre(crop.centreY, size.height),
  };
}

/** Moves a crop. @param by fractions of the square's edge: 0.5 moves the centre to the former right or lower edge. */
export function movedCrop(
  size: Size,
  crop: SquareCrop,
  by: { readonly x: number; readonly y: number },
): SquareCrop {
  const edge = edgeOf(size, crop.zoom);
  return withinPicture(size, {
    ...crop,
    centreX: crop.centreX + (by.x * edge) / size.width,
    centreY: crop.centreY + (by.y * edge) / size.height,
  });
}

export function squareOf(size: Size, crop: SquareCrop): Square {
  const { centreX, centreY, zoom } = withinPicture(size, crop);
  const edge = edgeOf(size, zoom);
  return { edge, x: centreX * size.width - edge / 2, y: centreY * size.height - edge / 2 };
}
