import { useAtomValue } from 'jotai';
import { useEffect, useState, type ComponentType } from 'react';
import { fileMaxBytes } from '../../../schemas/limits.ts';
import type { SharedFile } from '../../../schemas/local/shared-item.ts';
import { commandErrorCopy } from '../../data/commands/commands.ts';
import { useData } from '../../data/data-context.ts';
import { useAction } from '../../lib/react/use-action.ts';
import { readSoundFileAtom, type SoundFile } from '../../platform/media/sound-file.ts';
import { clockAtom } from '../../platform/system-clock.ts';
import { Button } from '../../ui/button.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { soundProblem } from './shared-copy.ts';

export interface SoundPlayerProps {
  readonly playable: {
    readonly id: string;
    readonly title: string;
    readonly durationMs: number | undefined;
    readonly waveform?: string | undefined;
    readonly open: () => Promise<{ readonly bytes: ArrayBuffer; readonly contentType: string }>;
  };
}

export interface SharedSoundProps {
  readonly sound: {
    readonly file: SharedFile;
    readonly petId: string;
    /** Epoch milliseconds of this device's clock. */
    readonly createdAtMs: number;
  };
  readonly Player: ComponentType<SoundPlayerProps>;
  /** Called when the voice note is in the journal. */
  readonly onKept: () => Promise<void>;
}

const none = new ArrayBuffer(0);

export function SharedSound({ sound, Player, onKept }: SharedSoundProps) {
  const { file, petId, createdAtMs } = sound;
  const { id } = file;
  const bytes = file.bytes ?? none;
  const { files, correctedNow } = useData();
  const clock = useAtomValue(clockAtom);
  const { read } = useAtomValue(readSoundFileAtom);
  const action = useAction(commandErrorCopy);
  const [measured, setMeasured] = useState<SoundFile | null>();

  useEffect(() => {
    let isLeft = false;
    const measure = async (): Promise<void> => {
      // Reading decodes all of it, which a phone may have no memory for.
      const found = bytes.byteLength > fileMaxBytes ? null : await read(bytes);
      if (!isLeft) setMeasured(found);
    };
    void measure();
    return () => {
      isLeft = true;
    };
  }, [read, bytes]);

  if (measured === undefined) return <p role="status">Looking at it…</p>;
  const problem = soundProblem(measured, bytes.byteLength);
  if (problem !== null || measured === null) return <ProblemNote>{problem}</ProblemNote>;

  const { contentType, durationMs, waveform } = measured;
  const keep = async (): Promise<void> => {
    const opened = await files.load();
    // The worker dates by the device's clock, which may have been set back since.
    const ageMs = Math.max(0, clock.now() - createdAtMs);
    const startedAtMs = correctedNow() - ageMs;
    await opened.voice.importRecording({ id, petId, bytes, startedAtMs, ...measured });
    await onKept();
  };
  const open = async () => ({ bytes, contentType });
  return (
    <>
      <Player playable={{ id, title: file.name, durationMs, waveform, open }} />
      {action.problem !== null && <ProblemNote>{action.problem}</ProblemNote>}
      <Button kind="primary" aria-disabled={action.isBusy(id)} onClick={() => action.run(keep, id)}>
        Keep as a voice note
      </Button>
    </>
  );
}
