import { voiceSentences } from '../../data/files/voice-copy.ts';
import { useHasNoEngine } from './use-has-no-engine.ts';

/** Tells an owner that this server makes no transcripts; nothing if it does. */
export function VoiceSection() {
  if (useHasNoEngine() !== true) return null;
  return (
    <section className="mt-6 flex flex-col gap-1">
      <h3 className="text-xl">Voice notes</h3>
      <p className="text-ink-soft">
        {`${voiceSentences.noTexts} Your recordings are kept, and you can write their text yourself.`}
      </p>
    </section>
  );
}
