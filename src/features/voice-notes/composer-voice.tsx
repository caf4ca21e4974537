import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { transcribing as transcribingText } from '../../../schemas/recording-messages.ts';
import { useData } from '../../data/data-context.ts';
import { durationText } from '../../lib/duration-text.ts';
import { useLatest } from '../../lib/use-latest.ts';
import { connection } from '../../platform/connection.ts';
import { useToasts } from '../../platform/toasts.ts';
import { Button } from '../../ui/button.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import type { AwaitedRecorder } from './awaited-recorder.ts';
import { createDictation, type Dictation } from './dictation.ts';
import { RecordingMeter } from './recording-meter.tsx';
import { useVoiceRecorder } from './use-voice-recorder.ts';
import { isUnderWay, type RecorderState } from './recorder-state.ts';
import type { FinishedRecording } from './voice-recorder.ts';

export interface ComposerVoiceProps {
  readonly petId: string;
  readonly isBoxEmpty: boolean;
  /** Rises with each note that is sent. */
  readonly sentCount: number;
  /** Words to add to what is in the box. */
  readonly onText: (text: string) => void;
  /** That of the button. It follows the one made here. */
  readonly recorder: AwaitedRecorder;
  readonly state: RecorderState;
}

function useDictation(onText: (text: string) => void): Dictation {
  const { files } = useData();
  const toasts = useToasts();
  const addText = useLatest(onText);
  return useMemo(
    () =>
      createDictation({
        loadVoice: async () => (await files.load()).voice,
        isOnline: connection.isOnline,
        onText: addText,
        tell: (message, variant) => void toasts.show({ message, variant }),
      }),
    [files, toasts, addText],
  );
}

/** Records for the button of the composer, and says how far it is while it records and while words are waited for. */
export function ComposerVoice(props: ComposerVoiceProps) {
  const { petId, isBoxEmpty, sentCount, onText, recorder, state } = props;
  const dictation = useDictation(onText);
  const { transcribing, heard } = useSyncExternalStore(dictation.subscribe, dictation.getSnapshot);
  const { recorder: own } = useVoiceRecorder(petId, dictation.hear);

  useEffect(() => recorder.follow(own), [recorder, own]);

  // Words that were sent are kept as such.
  useEffect(() => {
    if (sentCount > 0) dictation.forget();
  }, [dictation, sentCount]);

  const leave = useLatest(() => {
    dictation.leave();
    // Their words were cleared, and nobody has asked for the recordings.
    if (isBoxEmpty) dictation.forget();
  });
  useEffect(() => leave, [leave]);

  return (
    <>
      <div className="absolute inset-x-0 bottom-full flex flex-col gap-2 pb-2 empty:hidden">
        {state.problem !== null && <ProblemNote>{state.problem}</ProblemNote>}
        {transcribing !== null && <Transcribing onLeave={dictation.leave} />}
        {heard.map((recording) => (
          <Heard key={recording.id} recording={recording} onKeep={dictation.keep} />
        ))}
      </div>
      {isUnderWay(state) && (
        <div className="absolute inset-y-0 right-14 left-0 flex items-center gap-3 rounded-3xl bg-bracken px-4 text-paper">
          <button
            type="button"
            className="min-h-11 font-semibold underline underline-offset-4"
            onClick={recorder.cancel}
          >
            Cancel
          </button>
          <RecordingMeter recorder={recorder} state={state} />
        </div>
      )}
    </>
  );
}

function Transcribing({ onLeave }: { readonly onLeave: () => void }) {
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-card bg-heather-soft px-4 py-3 shadow-sm">
      <p role="status" className="min-w-0 flex-1 basis-48">
        {transcribingText}
      </p>
      <Button onClick={onLeave}>Keep as voice note</Button>
    </div>
  );
}

interface HeardProps {
  readonly recording: FinishedRecording;
  readonly onKeep: (id: string) => void;
}

/** A machine may have got it wrong: until its words are sent, the recording can be kept instead. */
function Heard({ recording: { id, durationMs }, onKeep }: HeardProps) {
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-card bg-heather-soft px-4 py-2">
      <p className="min-w-0 flex-1 basis-48">{`From your recording, ${durationText(durationMs)}`}</p>
      <Button onClick={() => onKeep(id)}>Keep the recording too</Button>
    </div>
  );
}
