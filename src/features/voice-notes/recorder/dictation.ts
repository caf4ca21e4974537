import { transcriptAfter, type TranscribeAnswer } from '../../../../schemas/transcription.ts';
import { commandSentence, type KnownWords } from '../../../data/commands/commands.ts';
import type { VoiceFiles } from '../../../data/files/voice-files.ts';
import { voiceSentences } from '../../../data/files/voice-copy.ts';
import type { FinishedRecording } from './voice-recorder.ts';

/** A recording with the words that the server heard, which are in the box. */
export interface AttachedRecording extends FinishedRecording {
  readonly heard: TranscribeAnswer;
}

export interface DictationState {
  /** Its words are waited for. */
  readonly transcribing: FinishedRecording | null;
  /** It becomes a voice note, with the text of the box when that is sent. */
  readonly attached: AttachedRecording | null;
}

/**
 * What becomes of a recording made in the composer. Its guarantees:
 * - it is in the journal as a voice note, or attached to what is in the box, or it is offered again at the next start;
 * - whatever keeps the words away (no connection, a refusal, an owner who does not wait) makes it a voice note without them;
 * - only its owner's word removes it.
 */
export interface Dictation {
  readonly subscribe: (onChange: () => void) => () => void;
  readonly getSnapshot: () => DictationState;
  readonly hear: (recording: FinishedRecording) => void;
  /** The owner waits no longer. */
  readonly leave: () => void;
  /** Makes a voice note of the attached recording. @throws {CommandError} if it is not kept: it stays attached then. */
  readonly send: (text: string) => Promise<void>;
  /** Nothing of the attached recording is kept. */
  readonly remove: () => void;
  /** The composer is left: what is attached is kept with the words that were heard. @returns these, if there are any. */
  readonly close: () => Promise<string | null>;
}

export interface DictationDeps {
  readonly loadVoice: () => Promise<Pick<VoiceFiles, 'transcribeNow' | 'keep' | 'discard'>>;
  readonly isOnline: () => boolean;
  readonly onText: (text: string) => void;
  /** Something to say in passing. */
  readonly tell: (message: string, variant: 'info' | 'error') => void;
}

const { notSignedIn } = voiceSentences;
const keptForLater = 'Kept as a voice note. Its text follows by itself.';
const nobodySpeaks = 'No speech detected. The recording is kept as a voice note.';

function asHeard(heard: TranscribeAnswer | null): KnownWords {
  return { text: heard?.text ?? '', transcript: transcriptAfter(heard) };
}

export function createDictation(deps: DictationDeps): Dictation {
  const watchers = new Set<() => void>();
  let state: DictationState = { transcribing: null, attached: null };
  let waiting: AbortController | null = null;

  const show = (change: Partial<DictationState>): void => {
    state = { ...state, ...change };
    for (const watcher of watchers) watcher();
  };

  const keep = async (id: string, words?: KnownWords): Promise<void> =>
    (await deps.loadVoice()).keep(id, words);

  const keepNow = async (id: string, words?: KnownWords, message?: string): Promise<void> => {
    try {
      await keep(id, words);
      if (message !== undefined) deps.tell(message, 'info');
    } catch (error) {
      deps.tell(commandSentence(error), 'error');
    }
  };

  const hearNow = async (recording: FinishedRecording, own: AbortController): Promise<void> => {
    const { id } = recording;
    try {
      const heard = await (await deps.loadVoice()).transcribeNow(id, own.signal);
      if (own.signal.aborted) return;
      const text = heard?.text.trim() ?? '';
      if (heard !== null && text !== '') {
        show({ transcribing: null, attached: { ...recording, heard: { ...heard, text } } });
        deps.onText(text);
        return;
      }
      show({ transcribing: null });
      await keepNow(id, asHeard(heard), heard === null ? undefined : nobodySpeaks);
    } catch (error) {
      if (own.signal.aborted) return;
      const isUnknown = commandSentence(error) === notSignedIn;
      show({ transcribing: null });
      await keepNow(id, undefined, isUnknown ? `${notSignedIn}. ${keptForLater}` : keptForLater);
    }
  };

  const leave = (): void => {
    const left = state.transcribing;
    if (left === null) return;
    waiting?.abort();
    show({ transcribing: null });
    void keepNow(left.id);
  };

  const close = async (): Promise<string | null> => {
    leave();
    const { attached } = state;
    if (attached === null) return null;
    show({ attached: null });
    await keepNow(attached.id, asHeard(attached.heard));
    return attached.heard.text;
  };

  return {
    subscribe: (onChange) => {
      watchers.add(onChange);
      return () => watchers.delete(onChange);
    },
    getSnapshot: () => state,
    hear: (recording) => {
      void close();
      if (!deps.isOnline() || watchers.size === 0) {
        void keepNow(recording.id, undefined, keptForLater);
        return;
      }
      waiting = new AbortController();
      show({ transcribing: recording });
      void hearNow(recording, waiting);
    },
    leave,
    send: async (written) => {
      const { attached } = state;
      if (attached === null) return;
      const text = written.trim();
      const isAsHeard = text === attached.heard.text;
      // At once: a composer that is left meanwhile must not keep it with other words.
      show({ attached: null });
      try {
        await keep(
          attached.id,
          isAsHeard ? asHeard(attached.heard) : { text, transcript: 'edited' },
        );
      } catch (error) {
        show({ attached });
        throw error;
      }
    },
    remove: () => {
      const { attached } = state;
      if (attached === null) return;
      show({ attached: null });
      void deps
        .loadVoice()
        .then((voice) => voice.discard(attached.id))
        .catch(() => undefined);
    },
    close,
  };
}
