import type { Pet } from '../../../schemas/documents/document.ts';
import type { ConflictVersion } from '../../../schemas/local/local-record.ts';
import type { OutboxJob } from '../../../schemas/local/outbox-job.ts';
import type { Writes } from '../../../store/document-store.ts';
import type { FetchedFile } from '../../../store/files/file-caches.ts';
import type { NewPicture } from '../../../store/files/outbox.ts';
import type { Live } from '../../lib/async/live.ts';
import type { SharedItems } from '../shared-items.ts';
import type {
  FileContent,
  SpokenEntry,
  UnfinishedRecording,
  VoiceFiles,
  WholeRecording,
} from './voice-files.ts';

/** Downloads a file by its name; null if the server does not have it. Rejects if the server does not answer. */
export type Download = (path: string) => Promise<FetchedFile | null>;

/** The fields of a dog that decide which picture it has. */
export type PicturedPet = Pick<Pet, 'id' | 'fields'>;

export interface ArchivedPicture extends FileContent {
  /** Whether the dog has a newer picture by now, so that nobody has chosen this one over that. */
  readonly isOlder: boolean;
}

/**
 * Reads and stores files for export and import. It bypasses the caches, because reading everything would evict their
 * entries.
 */
export interface ArchiveFiles {
  readonly download: Download;
  /**
   * Returns null if neither this device nor the server has the file. A file that was restored or moved, and is not
   * placed yet, is that of its document. @param download asks the server; without it, only this device is asked.
   */
  recording(entry: SpokenEntry, download?: Download): Promise<FileContent | null>;
  /** Like {@link recording}. Where its picture cannot be had, an older one is returned. */
  picture(pet: PicturedPet, download?: Download): Promise<ArchivedPicture | null>;
  /** Like {@link recording}, for the picture or recording of a version that a merge did not choose. */
  ofVersion(version: ConflictVersion, download?: Download): Promise<FileContent | null>;
  /** Reads the recordings that are in progress, in any tab, or were interrupted, as far as they are stored. */
  unfinished(): Promise<readonly UnfinishedRecording[]>;
  /**
   * The writes that send a picture to the server, to be committed with its dog; none if another one waits, which its owner
   * may have chosen meanwhile. See {@link NewPicture}.
   */
  planPicture(picture: NewPicture): Promise<Writes>;
  /**
   * The writes that send a recording to the server, to be committed with its entry.
   * @param objectName the name that the entry has for it already: it is sent if the server lacks it. null for a new name.
   */
  planRecording(recording: WholeRecording, objectName: string | null): Promise<Writes>;
}

/**
 * The only way to the owner's files. Their code and their database load after the first view. Each command resolves
 * when the change is durable on this device, without waiting for the network, and rejects only with a `CommandError`.
 */
export interface Files {
  readonly voice: VoiceFiles;
  readonly shared: SharedItems;
  readonly archive: ArchiveFiles;
  /** The object URL of a dog's picture; null while this device does not have the picture. */
  picture(pet: PicturedPet): Live<string | null>;
  /** The files that the server does not have, oldest first. */
  jobs(): Live<readonly OutboxJob[]>;
  /** Sets a picture, of one of `pictureExtensions`. The dog shows it at once; the upload follows. */
  setProfilePicture(petId: string, picture: FileContent): Promise<void>;
  /** Retries a parked file. */
  retryFile(jobId: string): Promise<void>;
  /** Retries all parked files. */
  retryAllFiles(): Promise<void>;
  /** Discards a file that only this device has. */
  discardFile(jobId: string): Promise<void>;
  /** Reads a waiting or parked file. */
  readFile(jobId: string): Promise<FileContent>;
}
