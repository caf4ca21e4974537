import type { TranscriptState } from '../../../schemas/documents/entry-kinds.ts';
import { somethingWentWrong } from '../../../schemas/copy/messages.ts';
import type { PetChanges } from '../../../schemas/forms/pet-edit.ts';
import type { EditStamps } from '../../../schemas/documents/sync-state.ts';
import type { Writes } from '../../../store/document-store.ts';

/** A write that could not be done, with a sentence for the owner. Nothing was changed. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly code: 'invalid' | 'not-found' | 'storage';

  constructor(code: CommandError['code'], sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.code = code;
  }
}

/**
 * Plans further writes of a commit.
 * @param attempt 1 for the first, which may count on nothing being in its way; what is in its way is seen by the commit.
 */
export type PlanAlso = (attempt: number) => Promise<Writes>;

/** What to tell the owner of a failure: a command's own sentence, or that something went wrong. */
export function commandSentence(error: unknown): string {
  return error instanceof CommandError ? error.message : somethingWentWrong;
}

export interface NewNote {
  /** Made by the caller before the first try, so that a try that was cut off can be repeated; else one is made. */
  readonly id?: string;
  readonly petId: string;
  readonly text: string;
  /** Epoch milliseconds at which the owner sent it; now if it is not given. */
  readonly createdDate?: number;
}

export interface NewVoiceNote {
  /** That of its recording. */
  readonly id: string;
  readonly petId: string;
  readonly contentType: string;
  readonly durationMs: number;
  /** Epoch milliseconds at which the recording began. */
  readonly createdDate: number;
  /** See `EntryRow`; left out where it could not be drawn. */
  readonly waveform?: string;
  /** The words, as far as they are known; without this they are waited for. */
  readonly words?: KnownWords;
}

/** The text of a voice note, '' for none, and whose words it is. */
export interface KnownWords {
  readonly text: string;
  readonly transcript: TranscriptState;
}

/** Done again, it changes nothing. */
export type UndoDelete = () => Promise<void>;

/** For documents that sync could not settle by itself. Each can be done again after it was cut off. */
export interface Repairs {
  /** Tries a parked document again. */
  retry(collection: 'pets' | 'entries', id: string): Promise<void>;
  /** Tries all parked documents again. */
  retryAll(): Promise<void>;
  /** Gives up a parked change: the server's version comes back, or the document goes if it was never there. */
  discard(collection: 'pets' | 'entries', id: string): Promise<void>;
  /** Moves a parked entry of a deleted dog to another dog. */
  moveEntry(entryId: string, petId: string): Promise<void>;
  /**
   * Puts a kept version back in place of the current one, as an edit made now.
   * @param petId the dog to put an entry to if the entry is gone; its own if it is not given.
   */
  restoreConflictVersion(versionId: string, petId?: string): Promise<void>;
  discardConflictVersion(versionId: string): Promise<void>;
}

/**
 * The only door for writing. Each resolves when the change is durable on this device; none waits for the network. All
 * fail with a {@link CommandError} only.
 */
export interface Commands extends Repairs {
  /** @returns the new pet's id. */
  createPet(input: { readonly name: string }): Promise<string>;
  /** Each field is merged by itself: pass only what the owner has changed. */
  updatePet(petId: string, changes: PetChanges): Promise<void>;
  /** Hides the pet at once; its journal follows in the background, also after a crash. */
  deletePet(petId: string): Promise<void>;
  /** Adding a note whose id is stored already is done. @returns the entry's id. */
  addNote(note: NewNote): Promise<string>;
  /**
   * The entry of a recording that is on this device. Adding one whose id is stored already is done.
   * @param recording the writes that send its recording, which are of the same commit.
   */
  addVoiceNote(note: NewVoiceNote, recording: PlanAlso): Promise<string>;
  /**
   * Another text for an entry, in its owner's words, which no machine writes over. The one before is kept as a former text.
   */
  editText(entryId: string, text: string): Promise<void>;
  /**
   * A machine's words for a voice note are waited for, once more. A person's words stay as they are, and so do those that
   * came since. @param seen the stamps of the entry when they were asked for.
   */
  awaitWords(entryId: string, seen: EditStamps): Promise<void>;
  /** @returns takes the deletion back, also after it was sent: what was deleted is written anew, under an id of its own. */
  deleteEntry(entryId: string): Promise<UndoDelete>;
}
