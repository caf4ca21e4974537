import { uploadFailed } from '../../../../schemas/copy/form-copy.ts';
import { commandErrorCopy } from '../../../data/commands/commands.ts';
import {
  PictureFileError,
  pictureFileMaxBytes,
  pictureMinEdge,
  type PictureFileProblem,
} from '../../../platform/media/picture-file.ts';

/** The error of a system camera or gallery that is missing or not permitted. */
export class CameraError extends Error {
  override readonly name = 'CameraError';
}

const megabytes = String(pictureFileMaxBytes / 1_024 / 1_024);
const edge = String(pictureMinEdge);

const problems: Readonly<Record<PictureFileProblem, string>> = {
  'not-a-picture': 'This file is not a picture. Choose another one.',
  heic: 'This browser cannot read HEIC photos. Save it as a JPEG, or choose another one.',
  'too-large': `This file is larger than ${megabytes} MB. Choose a smaller one.`,
  'too-many-pixels':
    'This picture has more pixels than this device can work with. Save it as a JPEG, or smaller.',
  'too-small': `This picture is too small. Choose one of at least ${edge} by ${edge} pixels.`,
  unreadable: 'This file could not be read. Choose it again, or another one.',
};

const noCamera = 'The camera could not be used. Allow it in the settings, or choose a picture.';

/** Returns the sentence for the owner about a picture that could not be taken, read or stored. */
export function pictureErrorCopy(error: unknown): string {
  if (error instanceof PictureFileError) return `${uploadFailed} ${problems[error.problem]}`;
  return error instanceof CameraError ? noCamera : commandErrorCopy(error);
}
