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
 * The only door for writing. Each resolves when the change is durable on this device; none waits for the network. All
 * fail with a {@link CommandError} only.
 */
export interface Commands {
  /** @returns the new pet's id. */
  createPet(input: { readonly name: string }): Promise<string>;
  /** Hides the pet at once; its journal follows in the background, also after a crash. */
  deletePet(petId: string): Promise<void>;
  /** @returns the new entry's id. */
  addNote(input: { readonly petId: string; readonly text: string }): Promise<string>;
  deleteEntry(entryId: string): Promise<void>;
  /** Tries a parked document again. */
  retry(collection: 'pets' | 'entries', id: string): Promise<void>;
  /** Gives up a parked change: the server's version comes back, or the document goes if it was never there. */
  discard(collection: 'pets' | 'entries', id: string): Promise<void>;
  /** Moves a parked entry of a deleted dog to another dog. */
  moveEntry(entryId: string, petId: string): Promise<void>;
  /** Puts a kept version back in place of the current one, as an edit made now. */
  restoreLoser(loserId: string): Promise<void>;
  discardLoser(loserId: string): Promise<void>;
}
