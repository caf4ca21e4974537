import type { PetRow } from '../../../schemas/documents/document.ts';
import type { OutboxJob } from '../../../schemas/local/outbox-job.ts';
import type { Writes } from '../../../store/document-store.ts';
import type { Live } from '../../lib/async/live.ts';
import type { SharedItems } from '../shared-items.ts';
import type { Sound, SpokenEntry, VoiceFiles } from './voice-files.ts';

export interface Picture {
  readonly bytes: ArrayBuffer;
  /** One of `pictureExtensions`. */
  readonly contentType: string;
}

/** What of a dog decides which picture it has. */
export type PicturedPet = Pick<PetRow, 'id' | 'profilePicturePath' | 'profilePictureVersion'>;

/** Bytes for an export, read past the caches: one that reads everything must not put anything out of them. */
export interface ArchiveFiles {
  /** null: neither here nor there. @param mayFetch from the server. @throws if the server does not answer. */
  recording(entry: SpokenEntry, mayFetch: boolean): Promise<Sound | null>;
  picture(pet: PicturedPet, mayFetch: boolean): Promise<Picture | null>;
  /** Whether the dog or entry has a file that waits here. */
  hasWaiting(of: { readonly petId: string } | { readonly entryId: string }): Promise<boolean>;
  /** The writes that send a picture to the server, to be committed with its dog. @param chosenAtMs epoch milliseconds. */
  planPicture(petId: string, picture: Picture, chosenAtMs: number): Promise<Writes>;
  /** The writes that send a recording to the server, to be committed with its entry. */
  planRecording(recording: WholeRecording): Promise<Writes>;
}

export interface WholeRecording extends Sound {
  /** That of the entry it belongs to. */
  readonly id: string;
  readonly petId: string;
  /** Epoch milliseconds. */
  readonly startedAtMs: number;
  readonly durationMs: number;
}

/**
 * The only door to the owner's files. Their code and their database come after the first view. Commands resolve when the
 * change is durable on this device, none waits for the network, and all fail with a `CommandError` only.
 */
export interface Files {
  readonly voice: VoiceFiles;
  readonly shared: SharedItems;
  readonly archive: ArchiveFiles;
  /** The address of a dog's picture within this page; null if there is none here, while one may be on its way. */
  picture(pet: PicturedPet): Live<string | null>;
  /** Files that the server has not got, oldest first. */
  jobs(): Live<readonly OutboxJob[]>;
  /** The dog shows it at once; it is uploaded when that is possible. */
  setProfilePicture(petId: string, picture: Picture): Promise<void>;
  /** Tries a parked file again. */
  retryFile(jobId: string): Promise<void>;
  /** Tries all parked files again. */
  retryAllFiles(): Promise<void>;
  /** Gives up a file that only this device has. */
  discardFile(jobId: string): Promise<void>;
  /** The bytes of a waiting or parked file. */
  readFile(jobId: string): Promise<Picture>;
}
