import type { Entry, Pet } from '../../../schemas/documents/document.ts';
import { exportListName } from '../../../schemas/export-file.ts';
import { exportMaxBytes } from '../../../schemas/limits.ts';
import type { ConflictVersion } from '../../../schemas/local/local-record.ts';
import { fileOf } from '../../../schemas/local/remove-file.ts';
import type { OutboxJob } from '../../../schemas/local/outbox-job.ts';
import { pictureExtensions } from '../../../schemas/local/outbox-job.ts';
import { audioExtension } from '../../../schemas/documents/voice-note.ts';
import type { DocumentStore } from '../../../store/document-store.ts';
import { localDate } from '../../lib/dates/calendar-date.ts';
import { noDate } from '../../lib/dates/entry-time-text.ts';
import { readDrafts } from '../../lib/draft.ts';
import { firstValue } from '../../lib/async/first-value.ts';
import { createNames, folderName } from '../../lib/text/folder-name.ts';
import { createZipWriter, type ZipWriter } from '../../lib/zip/zip-writer.ts';
import type { Collections } from '../../../store/rxdb/database.ts';
import { createJournalPage, missingName, summaryPage } from './export-pages.ts';
import { createExportList, entryToExport, petToExport } from './export-records.ts';
import { openExportSource, type ExportSource } from './export-source.ts';
import { CommandError } from '../commands/commands.ts';
import type { ArchiveFiles, Files } from '../files/files.ts';
import type { FileContent } from '../files/voice-files.ts';
import type { ExportScope, FinishedExport, TransferOptions } from './transfers.ts';

export interface ExportDeps {
  readonly uid: string;
  readonly collections: Pick<Collections, 'pets' | 'journal_entries'>;
  readonly store: Pick<DocumentStore, 'listRecords'>;
  readonly files: Pick<Files, 'jobs'> & { readonly archive: ArchiveFiles };
  readonly isOnline: () => boolean;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** After this many failures in a row the server is not asked again, because each request may take long to fail. */
const failuresInARowMax = 3;

/**
 * Returns a function that reads bytes from this device or the server. It stops asking a server that does not answer.
 */
function createByteReader(isOnline: () => boolean) {
  let failures = 0;
  return async (
    read: (mayFetch: boolean) => Promise<FileContent | null>,
  ): Promise<FileContent | null> => {
    const mayFetch = failures < failuresInARowMax && isOnline();
    try {
      const found = await read(mayFetch);
      failures = mayFetch ? 0 : failures;
      return found;
    } catch (error) {
      if (!mayFetch) throw error;
      failures += 1;
      return null;
    }
  };
}

/** The state of an export in progress. */
interface Export {
  readonly archive: ArchiveFiles;
  readonly source: ExportSource;
  readonly list: ReturnType<typeof createExportList>;
  readonly exportedAtMs: number;
  readonly zip: ZipWriter;
  readonly readBytes: ReturnType<typeof createByteReader>;
  readonly missing: string[];
  readonly count: { notes: number; voiceNotes: number };
  readonly onEntry: () => void;
  readonly signal: AbortSignal;
}

interface ExportedVersion extends ConflictVersion {
  /** The path of its file in the zip; null if it has none, or the zip file lacks it. */
  readonly file: string | null;
}

interface Folder {
  readonly name: string;
  readonly title: string;
  readonly page: ReturnType<typeof createJournalPage>;
  /** Returns a unique name beside the page. */
  readonly names: (wanted: string) => string;
}

interface FileToAdd {
  /** The name beside the page of its folder, without the extension. */
  readonly stem: string;
  /** The extension of an unknown type. */
  readonly extension: string;
  readonly folder: Pick<Folder, 'name' | 'names'>;
  readonly modifiedMs: number;
}

interface AddedFile {
  /** The name beside the page; null if the bytes are missing, or the zip file has no room for them. */
  readonly name: string | null;
  /** The type of the bytes, if there are any. */
  readonly contentType?: string;
}

/** Reads a file and adds it to the zip. */
async function addFile(
  { zip, readBytes }: Export,
  read: Parameters<Export['readBytes']>[0],
  file: FileToAdd,
): Promise<AddedFile> {
  const found = await readBytes(read);
  if (found === null) return { name: null };
  const { bytes, contentType } = found;
  const { stem, folder, modifiedMs } = file;
  if (!zip.hasRoomFor(bytes.byteLength)) return { name: null, contentType };
  const known = pictureExtensions[contentType] ?? audioExtension(contentType);
  const name = `${folder.names(stem)}.${known ?? file.extension}`;
  const content = new Blob([bytes]);
  await zip.add({ name: `${folder.name}/${name}`, content, modifiedMs, isText: false });
  return { name, contentType };
}

/** Returns the name for a time: "2026-03-03 14.05". */
function stemOf(atMs: number): string {
  if (atMs === 0) return noDate;
  const date = new Date(atMs);
  const [hours, minutes] = [date.getHours(), date.getMinutes()].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${localDate(atMs)} ${hours ?? ''}.${minutes ?? ''}`;
}

async function addEntry(run: Export, folder: Folder, row: Entry) {
  const { archive } = run;
  run.signal.throwIfAborted();
  const atMs = row.fields.createdDate ?? 0;
  const isSpoken = row.fields.type === 'voice-note';
  const stem = `voice-notes/${stemOf(atMs)}`;
  const place = { stem, extension: 'audio', folder, modifiedMs: atMs };
  const added: AddedFile = isSpoken
    ? await addFile(run, (mayFetch) => archive.recording(row, mayFetch), place)
    : { name: null };
  const { name, contentType = row.fields.contentType } = added;
  if (isSpoken && name === null) run.missing.push(missingName(folder.title, atMs));
  const file = name === null ? null : `${folder.name}/${name}`;
  run.list.addEntry(entryToExport({ row, file, contentType }));
  folder.page.addEntry({ row, file: name });
  if (isSpoken) run.count.voiceNotes += 1;
  else run.count.notes += 1;
  run.onEntry();
}

const versionsTitle = 'Other versions';

/** Adds the files of the versions that a merge did not choose. @returns the versions with the names of their files. */
async function addVersions(run: Export, versions: readonly ConflictVersion[], name: string) {
  const folder = { name, names: createNames() };
  const added: ExportedVersion[] = [];
  for (const version of versions) {
    run.signal.throwIfAborted();
    const stem = version.collection === 'pets' ? 'picture' : 'voice-note';
    const place = { stem, extension: 'file', folder, modifiedMs: version.keptAtMs };
    const read = (mayFetch: boolean) => run.archive.ofVersion(version, mayFetch);
    const { name: file } = await addFile(run, read, place);
    if (file === null && fileOf(version) !== null) run.missing.push(`${versionsTitle}, ${stem}`);
    added.push({ ...version, file: file === null ? null : `${name}/${file}` });
  }
  return added;
}

async function addFolder(run: Export, pet: Pet | null, name: string) {
  const { archive, source, exportedAtMs } = run;
  const names = createNames();
  const beside = { name, names };
  const title = pet?.fields.name ?? name;
  let picture: string | null | undefined;
  if (pet !== null) {
    const place = {
      stem: 'picture',
      extension: 'picture',
      folder: beside,
      modifiedMs: exportedAtMs,
    };
    let isOlder: true | undefined;
    const read = async (mayFetch: boolean) => {
      const found = await archive.picture(pet, mayFetch);
      isOlder = found?.isOlder === true ? true : undefined;
      return found;
    };
    const { name: file, contentType } = await addFile(run, read, place);
    const isNone = contentType === undefined && pet.fields.profilePicturePath === undefined;
    picture = isNone ? undefined : file;
    const path = file === null ? null : `${name}/${file}`;
    run.list.addPet(petToExport({ row: pet, file: path, contentType }, isOlder));
  }
  if (picture === null) run.missing.push(missingName(title, null));
  const page = createJournalPage({ pet, picture });
  const folder = { ...beside, title, page };
  for await (const rows of source.entriesOf(pet)) {
    for (const row of rows) await addEntry(run, folder, row);
  }
  const content = page.toBlob();
  await run.zip.add({
    name: `${name}/journal.md`,
    content,
    modifiedMs: exportedAtMs,
    isText: true,
  });
}

async function readUnfinished({ uid, store }: ExportDeps, scope: ExportScope) {
  const versions = [...(await store.listRecords('conflict-version')).values()];
  if (scope.kind !== 'pet') return { versions, drafts: readDrafts(uid) };
  const { petId } = scope;
  const isOfPet = (version: ConflictVersion): boolean =>
    [version.petId, version.documentId].includes(petId);
  return { versions: versions.filter(isOfPet), drafts: readDrafts(uid, petId) };
}

function versionText({ fields, file }: ExportedVersion): string {
  const text = String(fields['text'] ?? Object.values(fields).join(', '));
  return file === null ? text : `${text}\n${file}`;
}

function fileStem(scope: ExportScope, [pet]: ExportSource['pets']): string {
  if (scope.kind === 'pet') return `pawpals-${folderName(pet?.fields.name ?? '', 'dog')}`;
  return scope.kind === 'unsent' ? 'pawpals-unsent' : 'pawpals';
}

/** Exports one zip file: a list for machines, a page to read in each dog's folder, and all bytes that are available. */
export async function exportZip(
  deps: ExportDeps,
  scope: ExportScope,
  { signal, onProgress }: TransferOptions,
): Promise<FinishedExport> {
  const exportedAtMs = deps.now();
  // This comes before the documents: what is fetched meanwhile may not be in the file. Unsent data needs no fetching.
  const [checkpoint] = (await deps.store.listRecords('checkpoint')).values();
  const isPartial = scope.kind !== 'unsent' && checkpoint?.complete !== true;
  // They come first: one that is finished meanwhile is a job.
  const recordings = await deps.files.archive.unfinished();
  const jobs: readonly OutboxJob[] = await firstValue(deps.files.jobs());
  const source = await openExportSource({ ...deps, jobs, unfinished: recordings }, scope);
  const { versions, drafts } = await readUnfinished(deps, scope);
  const total = source.entryCount;
  let done = 0;
  onProgress({ done, total });
  const run: Export = {
    archive: deps.files.archive,
    source,
    list: createExportList(),
    exportedAtMs,
    zip: createZipWriter(exportMaxBytes),
    readBytes: createByteReader(deps.isOnline),
    missing: [],
    count: { notes: 0, voiceNotes: 0 },
    onEntry: () => {
      done += 1;
      onProgress({ done, total: Math.max(done, total) });
    },
    signal,
  };
  const folders = createNames();
  const otherVersions = await addVersions(run, versions, folders(versionsTitle));
  for (const pet of source.pets) {
    const name = folders(folderName(pet?.fields.name ?? 'Notes without a dog', 'Dog'));
    await addFolder(run, pet, name);
  }
  if (scope.kind === 'pet' && (source.pets.length === 0 || done < total)) {
    throw new CommandError(
      'not-found',
      'Part of the journal was deleted meanwhile. Export it again.',
    );
  }
  const { missing, zip } = run;
  const missingFiles = missing.length;
  if (isPartial) missing.unshift('Part of the journal');
  const contents = { pets: source.pets.filter((pet) => pet !== null).length, ...run.count };
  const texts = otherVersions.map(versionText);
  const summary = { ...contents, exportedAtMs, missing, drafts, otherVersions: texts };
  const text = { modifiedMs: exportedAtMs, isText: true };
  await zip.add({ name: 'README.md', content: new Blob([summaryPage(summary)]), ...text });
  const exportedAt = new Date(exportedAtMs).toISOString();
  const content = run.list.toBlob({ exportedAt, owner: deps.uid, otherVersions, drafts });
  await zip.add({ name: exportListName, content, ...text });
  signal.throwIfAborted();
  return {
    ...contents,
    drafts: drafts.length,
    otherVersions: versions.length,
    fileName: `${fileStem(scope, source.pets)}-${localDate(exportedAtMs)}.zip`,
    zip: zip.finish(),
    missingFiles,
    isPartial,
  };
}
