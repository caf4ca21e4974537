import { useCallback, useEffect, useState } from 'react';
import {
  protectStorage,
  readStorage,
  type StorageReport,
} from '../../platform/storage-protection.ts';

export interface Storage {
  /** null until it has been read. */
  readonly report: StorageReport | null;
  /** The browser was asked to protect it, and did not agree. */
  readonly isRefused: boolean;
  readonly protect: () => void;
}

/** @param changed reads anew whenever it is another value. */
export function useStorage(changed: unknown): Storage {
  const [report, setReport] = useState<StorageReport | null>(null);
  const [isRefused, setIsRefused] = useState(false);

  const read = useCallback(async (): Promise<void> => setReport(await readStorage()), []);
  useEffect(() => {
    void read();
  }, [read, changed]);

  const ask = async (): Promise<void> => {
    setIsRefused(!(await protectStorage()));
    await read();
  };
  return { report, isRefused, protect: () => void ask() };
}
