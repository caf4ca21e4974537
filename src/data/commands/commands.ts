import type { TranscriptState } from '../../../schemas/documents/entry-kinds.ts';
import { somethingWentWrong } from '../../../schemas/copy/form-copy.ts';
import type { PetChanges } from '../../../schemas/forms/pet-edit.ts';
import type { LocalDocument } from '../../../schemas/documents/document.ts';
import type { EditStamps } from '../../../schemas/documents/sync-state.ts';
import type { Writes } from '../../../store/document-store.ts';

/** The error of a write that failed and changed nothing. Its message is a sentence for the owner. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly code: 'invalid' | 'not-found' | 'storage';

  constructor(code: CommandError['code'], sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.code = code;
  }
}

/** Runs work of the owner. @throws {CommandError} with that sentence for every failure that has none of its own. */
export async function told<Result>(sentence: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof CommandError
      ? error
      : new CommandError('storage', sentence, { cause: error });
  }
}

/** Returns the sentence of a command's own error, or says that something went wrong. */
export function commandErrorCopy(error: unknown): string {
  return error instanceof CommandError ? error.message : somethingWentWrong;
}

export interface NewNote {
  /** The id, if the caller made one before the first attempt so that a retry is idempotent. */
  readonly id?: string;
  readonly petId: string;
  readonly text: string;
  /** Epoch milliseconds at which the owner sent the note. The default is the current time. */
  readonly createdDate?: number;
}

export interface NewVoiceNote {
  /** The id of its recording. */
  readonly id: string;
  readonly petId: string;
  readonly contentType: string;
  readonly durationMs: number;
  /** Epoch milliseconds at which the recording began. */
  readonly createdDate: number;
  /** See `Entry`; missing where the waveform could not be drawn. */
  readonly waveform?: string;
  /** The words that are known so far. Without them the entry waits for a transcript. */
  readonly words?: KnownWords;
}

/** The text of a voice note, '' for none, and who wrote it. */
export interface KnownWords {
  readonly text: string;
  readonly transcript: TranscriptState;
}

/** Takes a deletion back. A second call changes nothing. @returns the new id of the entry. */
export type UndoDelete = () => Promise<string>;

/**
 * Commands for documents that sync could not settle by itself. Each is idempotent: it can be repeated after an
 * interruption.
 */
export interface Repairs {
  /** Retries a parked document. */
  retry(collection: 'pets' | 'entries', id: string): Promise<void>;
  /** Retries all parked documents. */
  retryAll(): Promise<void>;
  /** Discards a parked change: restores the server's version, or removes a document that the server never had. */
  discard(collection: 'pets' | 'entries', id: string): Promise<void>;
  /** Moves a parked entry of a deleted dog to another dog. */
  moveEntry(entryId: string, petId: string): Promise<void>;
  /**
   * Replaces the current version with a conflict version, as an edit made now.
   * @param petId the dog that a deleted entry is restored to. The default is its own dog.
   */
  restoreConflictVersion(versionId: string, petId?: string): Promise<void>;
  discardConflictVersion(versionId: string): Promise<void>;
}

/**
 * The only way to write the owner's documents. Each command resolves when the change is durable on this device, without
 * waiting for the network, and rejects only with a {@link CommandError}.
 */
export interface Commands extends Repairs {
  /** @returns the new pet's id. */
  createPet(input: { readonly name: string }): Promise<string>;
  /**
   * Updates the given fields. Each field is merged by itself, so pass only the fields that the owner has changed.
   * @param opened the values that the owner has seen, '' for none: one that was stored since, and that the changes
   * replace, is kept as a conflict version.
   */
  updatePet(
    petId: string,
    changes: PetChanges,
    opened?: Readonly<Record<string, string>>,
  ): Promise<void>;
  /** Hides the pet at once. Its journal is deleted in the background, also after a crash. */
  deletePet(petId: string): Promise<void>;
  /** Adds a note; does nothing if its id is stored already. @returns the entry's id. */
  addNote(note: NewNote): Promise<string>;
  /**
   * Adds the entry of a recording that is on this device; does nothing if its id is stored already.
   * @param recording the writes that send its recording, which are part of the same commit.
   */
  addVoiceNote(note: NewVoiceNote, recording: () => Promise<Writes>): Promise<string>;
  /**
   * Replaces the text of an entry with the owner's words, which no transcript overwrites. The replaced text becomes a
   * former text.
   */
  editText(entryId: string, text: string): Promise<void>;
  /**
   * Marks a voice note as waiting for a transcript. Does nothing if it has a text, which stays until another one arrives, if
   * its owner cleared the text, or if its transcript has changed since.
   * @param seen the stamps of the entry when the transcript was requested.
   */
  awaitTranscript(entryId: string, seen: EditStamps): Promise<void>;
  /**
   * Deletes an entry. @returns a function that takes the deletion back, also after it was sent: it writes the entry
   * again under a new id.
   */
  deleteEntry(entryId: string): Promise<UndoDelete>;
  /**
   * Writes a deleted entry again under a new id; a second call changes nothing. @param entry as it was before its
   * deletion. @returns the new id.
   */
  restoreEntry(entry: LocalDocument): Promise<string>;
}
