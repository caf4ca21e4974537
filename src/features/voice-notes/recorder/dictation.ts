import { commandErrorCopy, type KnownWords } from '../../../data/commands/commands.ts';
import {
  heardWords,
  type HeardRecording,
  type VoiceFiles,
} from '../../../data/files/voice-files.ts';
import { voiceSentences } from '../../../data/files/voice-copy.ts';
import { createObservable, type Observed } from '../../../lib/async/observable.ts';
import { keepOrOffer } from './keep-or-offer.ts';
import type { FinishedRecording } from './voice-recorder.ts';

export interface DictationState {
  /** The recording that is being transcribed. */
  readonly transcribing: FinishedRecording | null;
  /** The recording that becomes a voice note when the text in the box is sent; its transcript is in the box. */
  readonly attached: HeardRecording | null;
}

/** The recordings that were made in the composer, from their end until they are in the journal. */
export interface Dictation extends Observed<DictationState> {
  readonly hear: (recording: FinishedRecording) => void;
  /** Attaches the first of these recordings again whose page went. */
  readonly reopen: (ids: readonly string[]) => Promise<void>;
  /** Stops waiting for the transcript. */
  readonly leave: () => void;
  /**
   * Stores the attached recording as a voice note. @throws {CommandError} if that fails; the recording stays attached
   * then.
   */
  readonly send: (text: string) => Promise<void>;
  /** Discards the attached recording. */
  readonly remove: () => void;
  /** Stores the attached recording with the text in the box when the composer is left, or records again. */
  readonly close: () => void;
}

export interface DictationDeps {
  readonly loadVoice: () => Promise<
    Pick<VoiceFiles, 'transcribeNow' | 'reopen' | 'keep' | 'discard' | 'letGo'>
  >;
  readonly isOnline: () => boolean;
  /** Called with a recording that cannot be sent any more, though there is a draft of its text. */
  readonly onGone: (id: string) => void;
  /** Returns the text in the box. */
  readonly readText: () => string;
  readonly onText: (text: string) => void;
  /** Called with a recording that was stored with its text, other than by `send`. */
  readonly onKept: (id: string) => void;
  /** Shows a passing message. */
  readonly tell: (message: string, variant: 'info' | 'error') => void;
}

const { notSignedIn, keptForLater } = voiceSentences;
const nobodySpeaks = 'No speech detected. The recording is kept as a voice note.';

/** Returns the words of a recording that is sent with this text. */
function asSent({ heard }: HeardRecording, text: string): KnownWords {
  return text === heard.text ? heardWords(heard) : { text, transcript: 'edited' };
}

/**
 * Creates the handling of recordings that were made in the composer.
 *
 * - A recording is stored as a voice note, is attached to the text in the box, or is offered like an interrupted one.
 * - A recording without a transcript (no connection, a refusal, an owner who does not wait) is stored as a voice note.
 * - Only the owner removes a recording.
 */
export function createDictation(deps: DictationDeps): Dictation {
  const { getSnapshot, subscribe, set, isObserved } = createObservable<DictationState>({
    transcribing: null,
    attached: null,
  });
  let waiting: AbortController | null = null;

  const show = (change: Partial<DictationState>): void => set({ ...getSnapshot(), ...change });

  /** @returns whether it was kept; if not, it is offered again. */
  const keepNow = async (id: string, words?: KnownWords, message?: string): Promise<boolean> => {
    const problem = await keepOrOffer(deps.loadVoice, id, words);
    if (problem !== null) deps.tell(problem, 'error');
    else if (message !== undefined) deps.tell(message, 'info');
    return problem === null;
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
      await keepNow(id, heardWords(heard), heard === null ? undefined : nobodySpeaks);
    } catch (error) {
      if (own.signal.aborted) return;
      const isUnknown = commandErrorCopy(error) === notSignedIn;
      show({ transcribing: null });
      await keepNow(id, undefined, isUnknown ? `${notSignedIn}. ${keptForLater}` : keptForLater);
    }
  };

  const leave = (): void => {
    const left = getSnapshot().transcribing;
    if (left === null) return;
    waiting?.abort();
    show({ transcribing: null });
    void keepNow(left.id);
  };

  /** Stores a recording whose page is left, or offers it. */
  const keepUnsent = async (left: HeardRecording, text: string): Promise<void> => {
    if (await keepNow(left.id, asSent(left, text))) deps.onKept(left.id);
  };

  const close = (): void => {
    leave();
    const { attached } = getSnapshot();
    if (attached === null) return;
    // An empty box is no decision of an owner who leaves.
    const text = deps.readText().trim() || attached.heard.text;
    show({ attached: null });
    void keepUnsent(attached, text);
  };

  return {
    subscribe,
    getSnapshot,
    hear: (recording) => {
      close();
      if (!deps.isOnline() || !isObserved()) {
        void keepNow(recording.id, undefined, keptForLater);
        return;
      }
      waiting = new AbortController();
      show({ transcribing: recording });
      void hearNow(recording, waiting);
    },
    reopen: async (ids) => {
      const voice = await deps.loadVoice().catch(() => null);
      if (voice === null) return;
      for (const id of ids) {
        const found = await voice.reopen(id).catch(() => 'held' as const);
        const { transcribing, attached } = getSnapshot();
        const isFree = isObserved() && transcribing === null && attached === null;
        if (found === null && isFree) deps.onGone(id);
        else if (found !== null && found !== 'held') {
          if (isFree) show({ attached: found });
          else voice.letGo(id);
        }
      }
    },
    leave,
    send: async (written) => {
      const { attached } = getSnapshot();
      if (attached === null) return;
      // The state changes at once, so that leaving the composer meanwhile does not store other words.
      show({ attached: null });
      try {
        await (await deps.loadVoice()).keep(attached.id, asSent(attached, written.trim()));
      } catch (error) {
        // If the page that could send it again is gone, it is stored as when the composer is left, or given up.
        if (isObserved()) show({ attached });
        else void keepUnsent(attached, written.trim());
        throw error;
      }
    },
    remove: () => {
      const { attached } = getSnapshot();
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
