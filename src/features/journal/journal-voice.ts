import type { ComponentType } from 'react';
import type { EntryRow } from '../../../schemas/document.ts';
import { createRequiredContext } from '../../lib/required-context.ts';

export interface ComposerSlotProps {
  readonly petId: string;
  readonly isBoxEmpty: boolean;
  /** Rises with each note that is sent. */
  readonly sentCount: number;
  /** Words to add to what is in the box. */
  readonly onText: (text: string) => void;
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
