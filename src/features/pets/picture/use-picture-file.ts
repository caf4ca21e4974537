import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { openPictureFile, type OpenPicture } from '../../../platform/media/picture-file.ts';
import type { PictureSource } from './picture-inputs.tsx';
import { pictureSentence } from './picture-copy.ts';

export interface PictureFile {
  /** The last that could be opened. */
  readonly picture: OpenPicture | null;
  readonly isReading: boolean;
  /** Why the last one could not be; the one before stays. */
  readonly problem: string | null;
  /** @param source null: the owner thought better of it. */
  readonly open: (source: PictureSource) => void;
}

/**
 * Opens what the owner chooses; of several in a row the last counts.
 * @param first to begin with; null: nothing.
 */
export function usePictureFile(first: PictureSource | null): PictureFile {
  const [picture, setPicture] = useState<OpenPicture | null>(null);
  const [isReading, setIsReading] = useState(first !== null);
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

  const read = async (source: PictureSource): Promise<void> => {
    tries.current += 1;
    const own = tries.current;
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

  const readFirst = useEffectEvent(async (): Promise<void> => {
    if (first !== null) await read(first);
  });
  useEffect(() => {
    const start = async (): Promise<void> => readFirst();
    void start();
  }, []);

  const open = (source: PictureSource): void => {
    setIsReading(true);
    setProblem(null);
    void read(source);
  };

  return { picture, isReading, problem, open };
}
