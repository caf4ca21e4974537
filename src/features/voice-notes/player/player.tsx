import { useStore } from 'jotai';
import LoaderCircle from 'lucide-react/icons/loader-circle';
import Pause from 'lucide-react/icons/pause';
import Play from 'lucide-react/icons/play';
import { useEffect } from 'react';
import { useLive } from '../../../lib/async/live.ts';
import { durationText } from '../../../lib/dates/duration-text.ts';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { nextRate, voicePlayerOf, type Playable } from './voice-player.ts';
import { Waveform } from './waveform.tsx';

export interface PlayerProps {
  readonly playable: Playable;
}

/** The step of an arrow key. */
const stepS = 1;

function useVoicePlayer({ id, source }: Playable) {
  const player = voicePlayerOf(useStore());
  const state = useLive(player);
  const isGoneWithPlayer = source === undefined;
  useEffect(() => {
    if (!isGoneWithPlayer) return undefined;
    return () => {
      if (player.getSnapshot().id === id) player.unload();
    };
  }, [player, id, isGoneWithPlayer]);
  useEffect(() => player.watch({ id, source }), [player, id, source]);
  const isCurrent = state.id === id;
  return { player, state, isCurrent };
}

/** The controls of a recording: play or pause, waveform with position, time, and rate. */
export function Player({ playable }: PlayerProps) {
  const { player, state, isCurrent } = useVoicePlayer(playable);
  const durationMs = isCurrent ? state.durationMs : (playable.durationMs ?? 0);
  const phase = isCurrent ? state.phase : 'idle';
  const positionMs = isCurrent ? Math.min(state.positionMs, durationMs) : 0;
  const Icon = phase === 'loading' ? LoaderCircle : phase === 'playing' ? Pause : Play;
  const label = phase === 'playing' ? 'Pause' : 'Play';
  const seconds = Math.ceil(durationMs / 1_000);
  const rate = String(state.rate);
  return (
    <div role="group" aria-label="Voice note" className="w-[min(20rem,72vw)] max-w-full">
      <div className="flex flex-wrap items-center gap-2">
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
        <div className="relative flex h-11 min-w-0 flex-1 basis-16 items-center">
          <Waveform
            waveform={playable.waveform}
            played={durationMs === 0 ? 0 : positionMs / durationMs}
          />
          <input
            type="range"
            aria-label="Position"
            aria-valuetext={`${durationText(positionMs)} of ${durationText(durationMs)}`}
            min={0}
            max={seconds}
            step={stepS / 10}
            value={positionMs / 1_000}
            className="peer absolute inset-0 m-0 h-full w-full cursor-pointer opacity-0"
            onKeyDown={(event) => {
              const step = { ArrowLeft: -stepS, ArrowRight: stepS }[event.key];
              if (step === undefined) return;
              event.preventDefault();
              player.seek(playable, positionMs + step * 1_000);
            }}
            onChange={(event) => player.seek(playable, Number(event.target.value) * 1_000)}
          />
          <span
            aria-hidden
            className="pointer-events-none absolute inset-0 rounded-lg peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2"
          />
        </div>
        <span className="flex-none text-base tabular-nums">
          {durationText(positionMs > 0 ? positionMs : durationMs)}
        </span>
        <button
          type="button"
          aria-label={`Speed ${rate}×`}
          title="Speed"
          className="min-h-11 min-w-11 flex-none rounded-full text-base font-semibold tabular-nums"
          onClick={() => player.setRate(nextRate(state.rate))}
        >
          {`${rate}×`}
        </button>
      </div>
      {isCurrent && state.problem !== null && <ProblemNote>{state.problem}</ProblemNote>}
    </div>
  );
}
