import { useEffect, useRef, useState } from 'react';
import { openPictureFile, type OpenPicture } from '../../platform/picture-file.ts';
import { pictureSentence } from './picture-sentences.ts';

export interface PictureFile {
  /** The last that could be opened. */
  readonly picture: OpenPicture | null;
  readonly isReading: boolean;
  /** Why the last one could not be; the one before stays. */
  readonly problem: string | null;
  /** @param source null: the owner thought better of it. */
  readonly open: (source: () => Promise<Blob | null>) => void;
}

/** Opens what the owner chooses; of several in a row the last counts. */
export function usePictureFile(): PictureFile {
  const [picture, setPicture] = useState<OpenPicture | null>(null);
  const [isReading, setIsReading] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const tries = useRef(0);

  // The pixels are given back when another picture comes, and when the page is left.
  useEffect(() => () => picture?.close(), [picture]);
  useEffect(
    () => () => {
      tries.current += 1;
    },
    [],
  );

  const attempt = async (source: () => Promise<Blob | null>): Promise<void> => {
    tries.current += 1;
    const own = tries.current;
    setIsReading(true);
    setProblem(null);
    try {
      const file = await source();
      const opened = file === null ? null : await openPictureFile(file);
      if (own !== tries.current) opened?.close();
      else if (opened !== null) setPicture(opened);
    } catch (error) {
      if (own === tries.current) setProblem(pictureSentence(error));
    }
    if (own === tries.current) setIsReading(false);
  };

  return { picture, isReading, problem, open: (source) => void attempt(source) };
}
