import { useAtomValue } from 'jotai';
import { useEffect, useEffectEvent, useState } from 'react';
import { saveSignalAtom } from './header-state.ts';

/** Calls `onSave` for each press of the header's Save button since the page was opened. */
export function useSaveSignal(onSave: () => void): void {
  const signal = useAtomValue(saveSignalAtom);
  const [opened] = useState(signal);
  const save = useEffectEvent(onSave);
  useEffect(() => {
    if (signal !== opened) save();
  }, [signal, opened]);
}
