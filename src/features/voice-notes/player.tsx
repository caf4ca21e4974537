import { useAtomValue } from 'jotai';
import { LoaderCircle, Pause, Play } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { durationText } from '../../lib/duration-text.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { nextRate, voicePlayerAtom, type Playable } from './voice-player.ts';

export interface PlayerProps {
  readonly playable: Playable;
}

/** An arrow key moves by as much. */
const stepS = 1;

function useVoicePlayer(id: string) {
  const player = useAtomValue(voicePlayerAtom);
  const state = useSyncExternalStore(player.subscribe, player.getSnapshot);
  const isCurrent = state.id === id;
  return { player, state, isCurrent };
}

/** Play and rest, where it is, how long it is, and how fast. */
export function Player({ playable }: PlayerProps) {
  const { player, state, isCurrent } = useVoicePlayer(playable.id);
  const durationMs = isCurrent ? state.durationMs : (playable.durationMs ?? 0);
  const phase = isCurrent ? state.phase : 'idle';
  const positionMs = isCurrent ? Math.min(state.positionMs, durationMs) : 0;
  const Icon = phase === 'loading' ? LoaderCircle : phase === 'playing' ? Pause : Play;
  const label = phase === 'playing' ? 'Pause' : 'Play';
  const seconds = Math.ceil(durationMs / 1_000);
  return (
    <div role="group" aria-label="Voice note" className="w-[min(20rem,72vw)] max-w-full">
      <div className="flex items-center gap-2">
        <button
          type="button"
          aria-label={label}
          title={label}
          aria-busy={phase === 'loading'}
          className="inline-flex size-11 flex-none items-center justify-center rounded-full bg-heather text-paper"
          onClick={() => player.toggle(playable)}
        >
          <Icon aria-hidden size={20} />
        </button>
        <input
          type="range"
          aria-label="Position"
          aria-valuetext={`${durationText(positionMs)} of ${durationText(durationMs)}`}
          min={0}
          max={seconds}
          step={stepS / 10}
          value={positionMs / 1_000}
          className="h-11 min-w-0 flex-1 accent-heather"
          onKeyDown={(event) => {
            const step = { ArrowLeft: -stepS, ArrowRight: stepS }[event.key];
            if (step === undefined) return;
            event.preventDefault();
            player.seek(playable, positionMs + step * 1_000);
          }}
          onChange={(event) => player.seek(playable, Number(event.target.value) * 1_000)}
        />
        <button
          type="button"
          aria-label={`Speed ${String(state.rate)}×`}
          title="Speed"
          className="min-h-11 min-w-11 flex-none rounded-full font-semibold tabular-nums"
          onClick={() => player.setRate(nextRate(state.rate))}
        >
          {`${String(state.rate)}×`}
        </button>
      </div>
      <p className="text-base text-ink-soft tabular-nums">
        {`${durationText(positionMs)} / ${durationText(durationMs)}`}
      </p>
      {isCurrent && state.problem !== null && <ProblemNote>{state.problem}</ProblemNote>}
    </div>
  );
}
