import { somethingWentWrong } from '../../../schemas/copy/messages.ts';
import { CommandError, type Commands } from './commands.ts';

/**
 * The commands, whose code loads after the first view. A write before that waits for the code; the next write retries a
 * failed load.
 */
export interface LazyCommands extends Commands {
  /** Loads the code ahead of use, when the page is idle. */
  readonly preload: () => void;
}

export function createLazyCommands(load: () => Promise<Commands>): LazyCommands {
  let loading: Promise<Commands> | null = null;

  const loaded = async (): Promise<Commands> => {
    loading ??= load();
    try {
      return await loading;
    } catch (error) {
      loading = null;
      throw new CommandError('storage', somethingWentWrong, { cause: error });
    }
  };

  return {
    preload: () => {
      loaded().catch(() => undefined);
    },
    createPet: async (pet) => (await loaded()).createPet(pet),
    updatePet: async (...change) => (await loaded()).updatePet(...change),
    deletePet: async (petId) => (await loaded()).deletePet(petId),
    addNote: async (note) => (await loaded()).addNote(note),
    addVoiceNote: async (...note) => (await loaded()).addVoiceNote(...note),
    editText: async (...edit) => (await loaded()).editText(...edit),
    awaitWords: async (...words) => (await loaded()).awaitWords(...words),
    deleteEntry: async (entryId) => (await loaded()).deleteEntry(entryId),
    retry: async (...ref) => (await loaded()).retry(...ref),
    retryAll: async () => (await loaded()).retryAll(),
    discard: async (...ref) => (await loaded()).discard(...ref),
    moveEntry: async (...move) => (await loaded()).moveEntry(...move),
    restoreConflictVersion: async (...version) =>
      (await loaded()).restoreConflictVersion(...version),
    discardConflictVersion: async (versionId) => (await loaded()).discardConflictVersion(versionId),
  };
}
