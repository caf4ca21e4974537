import { pictureHeadLength, pictureKind, type PictureKind } from '../../lib/media/picture-kind.ts';
import type { Size, Square } from '../../lib/media/square-crop.ts';

/** The reason why a file cannot be used as a picture. */
export type PictureFileProblem =
  | 'not-a-picture'
  | 'heic'
  | 'too-large'
  | 'too-many-pixels'
  | 'too-small'
  | 'unreadable';

export class PictureFileError extends Error {
  override readonly name = 'PictureFileError';
  readonly problem: PictureFileProblem;

  constructor(problem: PictureFileProblem, options?: ErrorOptions) {
    super(problem, options);
    this.problem = problem;
  }
}

/**
 * An open picture, held as a copy of moderate size and turned as the camera was held. Callers release it with `close`.
 */
export interface OpenPicture extends Size {
  /** Draws a square of the picture onto a canvas, scaled to its size. */
  draw(canvas: HTMLCanvasElement, square: Square): void;
  /** Returns a square of the picture as a JPEG, at the product's quality. */
  toJpeg(square: Square): Promise<ArrayBuffer>;
  close(): void;
}

const megabyte = 1_024 * 1_024;
/** The maximum size of a file that is read at all. */
export const pictureFileMaxBytes = 64 * megabyte;
export const pictureMinEdge = 32;
/**
 * The maximum number of pixels: a browser decodes a JPEG at the drawn size, and other types in full, at four bytes per
 * pixel.
 */
const maxPixels: Readonly<Record<'jpeg' | 'other', number>> = {
  jpeg: 250_000_000,
  other: 50_000_000,
};
/** The size limits of the copy: enough to zoom in, and within Safari's limit for a canvas. */
const copyShortEdge = 2_048;
const copyMaxPixels = 16_000_000;
/** The edge of the stored picture, in pixels. */
const jpegEdge = 1_024;
const jpegQuality = 0.9;

async function kindOf(file: Blob): Promise<PictureKind> {
  try {
    return pictureKind(new Uint8Array(await file.slice(0, pictureHeadLength).arrayBuffer()));
  } catch (error) {
    throw new PictureFileError('unreadable', { cause: error });
  }
}

/** Reads the size of a picture; its pixels are decoded when it is drawn. */
function loadImage(url: string, kind: PictureKind): Promise<HTMLImageElement> {
  const image = new Image();
  return new Promise((resolve, reject) => {
    image.addEventListener('load', () => resolve(image));
    image.addEventListener('error', () => {
      reject(new PictureFileError(kind === 'heic' ? 'heic' : 'not-a-picture'));
    });
    image.src = url;
  });
}

function checkSize(
  { naturalWidth: width, naturalHeight: height }: HTMLImageElement,
  kind: PictureKind,
): void {
  if (Math.min(width, height) < pictureMinEdge) throw new PictureFileError('too-small');
  if (width * height > maxPixels[kind === 'jpeg' ? 'jpeg' : 'other']) {
    throw new PictureFileError('too-many-pixels');
  }
}

function createCanvas(width: number, height: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  return canvas;
}

/** Fills the canvas with white: a JPEG has no transparency, and would show black. */
function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d');
  if (context === null) throw new PictureFileError('unreadable');
  context.imageSmoothingQuality = 'high';
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  return context;
}

function copyOf(image: HTMLImageElement): HTMLCanvasElement {
  const { naturalWidth: width, naturalHeight: height } = image;
  const scale = Math.min(
    1,
    copyShortEdge / Math.min(width, height),
    Math.sqrt(copyMaxPixels / (width * height)),
  );
  const size = (length: number): number => Math.max(1, Math.round(length * scale));
  const canvas = createCanvas(size(width), size(height));
  contextOf(canvas).drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}

function encode(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    const settle = (blob: Blob | null): void => {
      if (blob === null) reject(new PictureFileError('unreadable'));
      else resolve(blob);
    };
    canvas.toBlob(settle, 'image/jpeg', jpegQuality);
  });
}

/** Frees the pixels at once; Safari would keep them until its next garbage collection. */
function release(canvas: HTMLCanvasElement): void {
  canvas.width = 0;
  canvas.height = 0;
}

function openCopy(copy: HTMLCanvasElement): OpenPicture {
  const draw: OpenPicture['draw'] = (canvas, { x, y, edge }) => {
    contextOf(canvas).drawImage(copy, x, y, edge, edge, 0, 0, canvas.width, canvas.height);
  };
  return {
    width: copy.width,
    height: copy.height,
    draw,
    toJpeg: async (square) => {
      const edge = Math.max(1, Math.min(jpegEdge, Math.round(square.edge)));
      const canvas = createCanvas(edge, edge);
      draw(canvas, square);
      const blob = await encode(canvas);
      release(canvas);
      return blob.arrayBuffer();
    },
    close: () => release(copy),
  };
}

/**
 * Opens a picture by its content, whatever its name. It is held as a copy of moderate size, because the decoded file of
 * a camera takes hundreds of megabytes. @throws {PictureFileError} if it cannot be shown.
 */
export async function openPictureFile(file: Blob): Promise<OpenPicture> {
  if (file.size > pictureFileMaxBytes) throw new PictureFileError('too-large');
  const kind = await kindOf(file);
  const url = URL.createObjectURL(file);
  try {
    const image = await loadImage(url, kind);
    checkSize(image, kind);
    return openCopy(copyOf(image));
  } catch (error) {
    if (error instanceof PictureFileError) throw error;
    throw new PictureFileError('unreadable', { cause: error });
  } finally {
    URL.revokeObjectURL(url);
  }
}
