import { useEffect, useState } from 'react';
import {
  protectStorage,
  readStorage,
  type StorageReport,
} from '../../platform/storage/storage-protection.ts';

export interface Storage {
  /** The report; null until it is read. */
  readonly report: StorageReport | null;
  /** Whether the browser has refused persistent storage. */
  readonly isRefused: boolean;
  readonly protect: () => void;
}

/** @param isChanging whether a transfer changes the size; the report is read again at its end. */
export function useStorage(isChanging: boolean): Storage {
  const [report, setReport] = useState<StorageReport | null>(null);
  const [isRefused, setIsRefused] = useState(false);

  useEffect(() => {
    if (isChanging) return undefined;
    let isCurrent = true;
    const read = async (): Promise<void> => {
      const found = await readStorage();
      if (isCurrent) setReport(found);
    };
    void read();
    return () => {
      isCurrent = false;
    };
  }, [isChanging]);

  const ask = async (): Promise<void> => {
    setIsRefused(!(await protectStorage()));
    setReport(await readStorage());
  };
  return { report, isRefused, protect: () => void ask() };
}
