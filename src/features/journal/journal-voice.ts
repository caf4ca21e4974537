import type { ComponentType } from 'react';
import type { EntryRow } from '../../../schemas/documents/document.ts';
import { createRequiredContext } from '../../lib/react/required-context.ts';

export interface ComposerSlotProps {
  readonly petId: string;
  /** The box is empty, and nothing is attached to it. */
  readonly canRecord: boolean;
  /** Rises with each note that is sent. */
  readonly sentCount: number;
  /** Words to add to what is in the box. */
  readonly onText: (text: string) => void;
  /** A recording goes with what is in the box from now on, and sends it; null: none any more. */
  readonly onAttach: (attachment: Attachment | null) => void;
  /** A recording was kept with these words as the composer was left: they need not wait in the box. */
  readonly onKept: (text: string) => void;
}

/** A recording that goes with what is in the box. */
export interface Attachment {
  /** Makes a voice note of it, with that text. Fails with a sentence. */
  readonly send: (text: string) => Promise<void>;
}

/** What a journal needs of voice notes, which are a feature of their own. */
export interface JournalVoice {
  /** The microphone beside the box. */
  readonly Composer: ComponentType<ComposerSlotProps>;
  /** The recording of an entry, to be heard. */
  readonly Player: ComponentType<{ readonly entry: EntryRow }>;
}

export const { Provider: JournalVoiceProvider, useValue: useJournalVoice } =
  createRequiredContext<JournalVoice>('JournalVoice');
