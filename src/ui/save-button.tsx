import { useSetAtom } from 'jotai';
import { Check } from 'lucide-react';
import { saveSignalAtom } from '../lib/react/header-state.ts';
import { IconButton } from './icon-button.tsx';

/** The header's way to submit the form below it. */
export function SaveButton() {
  const raise = useSetAtom(saveSignalAtom);
  return <IconButton label="Save" icon={Check} onClick={() => raise((count) => count + 1)} />;
}
