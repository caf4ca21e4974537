import { useSetAtom } from 'jotai';
import { useEffect, useMemo } from 'react';
import { transcribing as transcribingText } from '../../../../schemas/copy/recording-copy.ts';
import { useData, type Data } from '../../../data/data-context.ts';
import { voiceSentences } from '../../../data/files/voice-copy.ts';
import type { HeardRecording, VoiceFiles } from '../../../data/files/voice-files.ts';
import { useLive } from '../../../lib/async/live.ts';
import { readDraft, writeDraft, type DraftPlace } from '../../../lib/draft.ts';
import { durationText } from '../../../lib/dates/duration-text.ts';
import { useLatest } from '../../../lib/react/use-latest.ts';
import { useLeaveFocus } from '../../../lib/react/use-leave-focus.ts';
import { connection } from '../../../platform/connection.ts';
import { AskingButton, Button } from '../../../ui/button.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import type { AwaitedRecorder } from './awaited-recorder.ts';
import { createDictation, type Dictation } from './dictation.ts';
import { recordingDraft } from './draft-recording.ts';
import { RecordingMeter } from './recording-meter.tsx';
import { useOwnersToasts } from './use-owners-toasts.ts';
import { useVoiceRecorder } from './use-voice-recorder.ts';
import { isUnderWay, type RecorderState } from './recorder-state.ts';
import { isReopeningAtom } from './reopening.ts';

interface AttachedRecording extends Pick<Dictation, 'send'> {
  /** The place of the draft of its text. */
  readonly draft: DraftPlace;
}

export interface ComposerVoiceProps {
  readonly petId: string;
  /** The ids of the recordings whose texts were drafts at first. */
  readonly draftedIds: readonly string[];
  /** Returns the text in the box. */
  readonly readText: () => string;
  /** Appends words to the text in the box. */
  readonly onText: (text: string) => void;
  /** Attaches a recording, which is sent with the text in the box; null detaches it. */
  readonly onAttach: (attachment: AttachedRecording | null) => void;
  /** The recorder of the button, which follows the one created here. */
  readonly recorder: AwaitedRecorder;
  readonly state: RecorderState;
  /** Focuses the button of the bar, when the focused one goes. */
  readonly takeFocus: () => void;
}

/** Requests the transcript of a recording only once, and caches the answer for a while. */
function askOnce(voice: VoiceFiles, answers: Data['answers']): VoiceFiles['transcribeNow'] {
  return async (id, signal) => {
    const { client } = await answers();
    const queryFn = () => voice.transcribeNow(id, signal);
    // There is no retry: after a failure the voice note is stored, and sync requests its transcript.
    return client.fetchQuery({ queryKey: ['words', id], queryFn, retry: false });
  };
}

type Box = Pick<ComposerVoiceProps, 'petId' | 'readText' | 'onText'>;

function useDictation(props: Box): Dictation {
  const { uid, files, answers } = useData();
  const { petId } = props;
  const showToast = useOwnersToasts();
  const readText = useLatest(props.readText);
  const onText = useLatest(props.onText);
  return useMemo(() => {
    const draftOf = (id: string) => recordingDraft({ owner: uid, name: petId }, id);
    return createDictation({
      loadVoice: async () => {
        const { voice } = await files.load();
        return { ...voice, transcribeNow: askOnce(voice, answers) };
      },
      isOnline: connection.isOnline,
      onGone: (id) => {
        const text = readDraft(draftOf(id));
        if (text !== '') onText(text);
        writeDraft(draftOf(id), '');
      },
      onKept: (id) => writeDraft(draftOf(id), ''),
      readText,
      onText,
      tell: (message, variant) => showToast({ message, variant }),
    });
  }, [uid, petId, files, answers, showToast, readText, onText]);
}

const cardStyle =
  'order-first flex basis-full flex-wrap items-center gap-3 rounded-card bg-heather-soft px-4 py-2';

/** Records for the button of the composer, and shows the progress of the recording and of its transcript. */
export function ComposerVoice(props: ComposerVoiceProps) {
  const { petId, draftedIds, onAttach, recorder, state, takeFocus } = props;
  const { uid } = useData();
  const dictation = useDictation(props);
  const { transcribing, attached } = useLive(dictation);
  const { recorder: own } = useVoiceRecorder(petId, async (recording) => {
    dictation.hear(recording);
    return null;
  });

  useEffect(() => recorder.follow(own), [recorder, own]);

  // It reads the box before the recording is detached from it.
  useEffect(() => dictation.close, [dictation]);

  const attachedId = attached?.id;
  useEffect(() => {
    if (attachedId === undefined) return undefined;
    // The next recording is another attachment.
    const draft = recordingDraft({ owner: uid, name: petId }, attachedId);
    onAttach({ draft, send: dictation.send });
    return () => onAttach(null);
  }, [uid, petId, dictation, attachedId, onAttach]);

  const setIsReopening = useSetAtom(isReopeningAtom);
  useEffect(() => {
    if (draftedIds.length === 0) return;
    void dictation.reopen(draftedIds).then(() => setIsReopening(false));
  }, [dictation, draftedIds, setIsReopening]);

  // The words of the last recording would come into the box of the new one.
  const isRecording = isUnderWay(state);
  useEffect(() => {
    if (isRecording) dictation.close();
  }, [dictation, isRecording]);

  const thenFocus = (work: () => void) => (): void => {
    work();
    takeFocus();
  };
  return (
    <>
      {state.problem !== null && (
        <div className="order-first basis-full">
          <ProblemNote>{state.problem}</ProblemNote>
        </div>
      )}
      <div className={transcribing === null && attached === null ? 'sr-only' : cardStyle}>
        {/* The element is always in the page, so that screen readers announce its text when it appears. */}
        <p role="status" className="min-w-0 flex-1 basis-48">
          {state.phase === 'recording' && (
            <span className="sr-only">{voiceSentences.recording}</span>
          )}
          {transcribing !== null && transcribingText}
          {attached !== null && attachedText(attached)}
        </p>
        {transcribing !== null && (
          <KeepButton takeFocus={takeFocus} onLeave={thenFocus(dictation.leave)} />
        )}
        {attached !== null && (
          <AskingButton key={attached.id} label="Remove" onConfirm={thenFocus(dictation.remove)} />
        )}
      </div>
      {isRecording && <RecordingBar {...props} onCancel={thenFocus(recorder.cancel)} />}
    </>
  );
}

interface RecordingBarProps extends Pick<ComposerVoiceProps, 'recorder' | 'state' | 'takeFocus'> {
  readonly onCancel: () => void;
}

function RecordingBar({ recorder, state, takeFocus, onCancel }: RecordingBarProps) {
  const ref = useLeaveFocus(takeFocus);
  return (
    <div
      ref={ref}
      className="recording-bar absolute inset-y-0 right-18 left-0 flex items-center gap-3 rounded-3xl bg-bracken px-4 text-paper @max-[18rem]:right-[68px] @max-[18rem]:gap-[12px] @max-[18rem]:px-[16px]"
    >
      <button
        type="button"
        className="min-h-11 font-semibold underline underline-offset-4"
        onClick={onCancel}
      >
        Cancel
      </button>
      <RecordingMeter recorder={recorder} state={state} />
    </div>
  );
}

interface KeepButtonProps {
  readonly takeFocus: () => void;
  readonly onLeave: () => void;
}

function KeepButton({ takeFocus, onLeave }: KeepButtonProps) {
  const ref = useLeaveFocus<HTMLButtonElement>(takeFocus);
  return (
    <Button ref={ref} onClick={onLeave}>
      Keep as voice note
    </Button>
  );
}

/**
 * Says that a recording is attached. It is sent with the text of the box, even if the owner has changed or removed its
 * words there.
 */
function attachedText({ durationMs, heard }: HeardRecording): string {
  const text = `With your recording, ${durationText(durationMs)}.`;
  return heard.rough ? `${text} Its text is rough: look it over.` : text;
}
