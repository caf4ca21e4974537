import { useMemo } from 'react';
import { useData } from '../../data/data-context.ts';
import { voiceSentences } from '../../data/files/voice-copy.ts';
import { liveInside } from '../../lib/async/lazy-service.ts';
import { useLive } from '../../lib/async/live.ts';

/** Tells an owner that this server makes no transcripts; nothing if it does. */
export function VoiceSection() {
  const { files } = useData();
  const hasNoEngine = useLive(
    useMemo(() => liveInside(files, (opened) => opened.voice.hasNoEngine()), [files]),
  );
  if (hasNoEngine !== true) return null;
  return (
    <section className="mt-6 flex flex-col gap-1">
      <h3 className="px-1 text-xl">Voice notes</h3>
      <p className="px-1 text-ink-soft">
        {`${voiceSentences.noTexts} Your recordings are kept, and you can write their text yourself.`}
      </p>
    </section>
  );
}
