import Mic from 'lucide-react/icons/mic';
import { durationText } from '../../../lib/dates/duration-text.ts';

/** A voice note that cannot be played here yet, as high as its player. */
export function VoiceNoteLine({ durationMs }: { readonly durationMs: number | undefined }) {
  return (
    <p className="flex min-h-11 items-center gap-2 font-semibold text-heather">
      <Mic aria-hidden size={18} />
      Voice note
      {durationMs !== undefined && (
        <span className="font-normal tabular-nums">{durationText(durationMs)}</span>
      )}
    </p>
  );
}
