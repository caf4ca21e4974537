import { commandSentence } from '../../data/commands.ts';
import type { VoiceFiles } from '../../data/voice-files.ts';
import { voiceSentences } from '../../data/voice-words.ts';
import type { FinishedRecording } from './voice-recorder.ts';

export interface DictationState {
  /** Its words are waited for. */
  readonly transcribing: FinishedRecording | null;
  /** Their words are in the box and not sent yet: they are kept until then, whatever becomes of the tab. */
  readonly heard: readonly FinishedRecording[];
}

/**
 * What becomes of a recording made in the composer. Its guarantees:
 * - it is in the journal as a voice note, or its words are in the box, or it is offered again at the next start;
 * - whatever keeps the words away (no connection, a refusal, an owner who does not wait) makes it a voice note.
 */
export interface Dictation {
  readonly subscribe: (onChange: () => void) => () => void;
  readonly getSnapshot: () => DictationState;
  readonly hear: (recording: FinishedRecording) => void;
  /** The owner waits no longer. */
  readonly leave: () => void;
  /** A heard recording becomes a voice note all the same. */
  readonly keep: (id: string) => void;
  /** The words were sent, or are not wanted: their recordings may go. */
  readonly forget: () => void;
}

export interface DictationDeps {
  readonly loadVoice: () => Promise<Pick<VoiceFiles, 'wordsNow' | 'keep' | 'discard'>>;
  readonly isOnline: () => boolean;
  readonly onText: (text: string) => void;
  /** Something to say in passing. */
  readonly tell: (message: string, variant: 'info' | 'error') => void;
}

const { notSignedIn } = voiceSentences;
const keptForLater = 'Kept as a voice note. Its text follows by itself.';
const nobodySpeaks = 'No speech detected. The recording is kept as a voice note.';

export function createDictation(deps: DictationDeps): Dictation {
  const watchers = new Set<() => void>();
  let state: DictationState = { transcribing: null, heard: [] };
  let waiting: AbortController | null = null;

  const show = (change: Partial<DictationState>): void => {
    state = { ...state, ...change };
    for (const watcher of watchers) watcher();
  };

  const without = (id: string): readonly FinishedRecording[] =>
    state.heard.filter((recording) => recording.id !== id);

  const keepNow = async (id: string, message: string | null): Promise<void> => {
    try {
      await (await deps.loadVoice()).keep(id);
      if (message !== null) deps.tell(message, 'info');
    } catch (error) {
      deps.tell(commandSentence(error), 'error');
    }
  };

  const hearNow = async (recording: FinishedRecording, own: AbortController): Promise<void> => {
    let message = keptForLater;
    try {
      const voice = await deps.loadVoice();
      const text = (await voice.wordsNow(recording.id, own.signal)).trim();
      if (own.signal.aborted) return;
      if (text !== '') {
        show({ transcribing: null, heard: [...state.heard, recording] });
        deps.onText(text);
        return;
      }
      message = nobodySpeaks;
    } catch (error) {
      if (own.signal.aborted) return;
      if (commandSentence(error) === notSignedIn) message = `${notSignedIn}. ${keptForLater}`;
    }
    show({ transcribing: null });
    await keepNow(recording.id, message);
  };

  const leave = (): void => {
    const left = state.transcribing;
    if (left === null) return;
    waiting?.abort();
    show({ transcribing: null });
    void keepNow(left.id, null);
  };

  return {
    subscribe: (onChange) => {
      watchers.add(onChange);
      return () => watchers.delete(onChange);
    },
    getSnapshot: () => state,
    hear: (recording) => {
      leave();
      if (!deps.isOnline() || watchers.size === 0) {
        void keepNow(recording.id, keptForLater);
        return;
      }
      waiting = new AbortController();
      show({ transcribing: recording });
      void hearNow(recording, waiting);
    },
    leave,
    keep: (id) => {
      show({ heard: without(id) });
      void keepNow(id, null);
    },
    forget: () => {
      const { heard } = state;
      if (heard.length === 0) return;
      show({ heard: [] });
      void deps
        .loadVoice()
        .then((voice) => Promise.all(heard.map(({ id }) => voice.discard(id))))
        .catch(() => undefined);
    },
  };
}
