import type { ComponentType } from 'react';
import type { Entry } from '../../../schemas/documents/document.ts';
import type { DraftPlace } from '../../lib/draft.ts';
import { createRequiredContext } from '../../lib/react/required-context.ts';

export interface ComposerSlotProps {
  readonly petId: string;
  /** Whether the box is empty, and nothing is attached to it. */
  readonly canRecord: boolean;
  /** The number of sent notes. */
  readonly sentCount: number;
  /** Returns the text in the box. */
  readonly readText: () => string;
  /** Appends words to the text in the box. */
  readonly onText: (text: string) => void;
  /** Attaches a recording, which is sent with the text in the box; null detaches it. */
  readonly onAttach: (attachment: Attachment | null) => void;
}

/** A recording that is sent with the text in the box. */
export interface Attachment {
  /** The place of the draft of its text. */
  readonly draft: DraftPlace;
  /** Stores a voice note with that text. Rejects with a sentence for the owner. */
  readonly send: (text: string) => Promise<void>;
}

/** The components of voice notes that a journal needs. The feature of voice notes provides them. */
export interface JournalVoice {
  /** The microphone beside the box. */
  readonly Composer: ComponentType<ComposerSlotProps>;
  /** The player of an entry's recording. */
  readonly Player: ComponentType<{ readonly entry: Entry }>;
}

export const { Provider: JournalVoiceProvider, useValue: useJournalVoice } =
  createRequiredContext<JournalVoice>('JournalVoice');
