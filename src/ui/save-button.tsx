import { useSetAtom } from 'jotai';
import Check from 'lucide-react/icons/check';
import { saveSignalAtom } from '../lib/react/header-state.ts';
import { IconButton } from './icon-button.tsx';

/** The button in the header that submits the form of the page. */
export function SaveButton() {
  const raise = useSetAtom(saveSignalAtom);
  return <IconButton label="Save" icon={Check} onClick={() => raise((count) => count + 1)} />;
}
