import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { openPictureFile, type OpenPicture } from '../../../platform/media/picture-file.ts';
import type { PictureSource } from './picture-inputs.tsx';
import { pictureErrorCopy } from './picture-copy.ts';

export interface PictureFile {
  /** The last picture that could be opened. */
  readonly picture: OpenPicture | null;
  /** Whether that is the picture to start with. */
  readonly isFirst: boolean;
  readonly isReading: boolean;
  /** The reason why the last file could not be opened; the picture before stays. */
  readonly problem: string | null;
  /** Opens a picture. @param source resolves to null if the owner cancels. */
  readonly open: (source: PictureSource) => void;
}

/**
 * Opens the files that the owner chooses; of several in a row, the last one wins. One that is not chosen in the end does
 * not count.
 * @param first the source to start with; null for none.
 */
export function usePictureFile(first: PictureSource | null): PictureFile {
  const [picture, setPicture] = useState<OpenPicture | null>(null);
  const [isFirst, setIsFirst] = useState(first !== null);
  const [reading, setReading] = useState(0);
  const [problem, setProblem] = useState<string | null>(null);
  /** How many files were chosen. */
  const tries = useRef(0);
  const isLeft = useRef(false);

  // The pixels are freed when another picture replaces this one, and when the page is left.
  useEffect(() => () => picture?.close(), [picture]);
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
    };
  }, []);

  const read = async (source: PictureSource, isOfFirst: boolean): Promise<void> => {
    setReading((count) => count + 1);
    let own = tries.current;
    try {
      const file = await source();
      if (file !== null) {
        tries.current += 1;
        own = tries.current;
        const opened = await openPictureFile(file);
        if (isLeft.current || own !== tries.current) opened.close();
        else {
          setPicture(opened);
          setIsFirst(isOfFirst);
        }
      }
    } catch (error) {
      if (own === tries.current) setProblem(pictureErrorCopy(error));
    }
    setReading((count) => count - 1);
  };

  const readFirst = useEffectEvent(async (): Promise<void> => {
    if (first !== null) await read(first, true);
  });
  useEffect(() => {
    const start = async (): Promise<void> => readFirst();
    void start();
  }, []);

  const open = (source: PictureSource): void => {
    setProblem(null);
    void read(source, false);
  };

  return { picture, isFirst, isReading: reading > 0, problem, open };
}
