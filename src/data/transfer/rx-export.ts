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
import type { ArchiveFiles, Download, Files } from '../files/files.ts';
import type { FileContent } from '../files/voice-files.ts';
import {
  dogless,
  type ExportScope,
  type FinishedExport,
  type TransferOptions,
} from './transfers.ts';

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

/** Returns a download that never fails, and stops asking a server that does not answer. */
function createDownload({ isOnline, files }: Pick<ExportDeps, 'isOnline' | 'files'>): Download {
  let failures = 0;
  return async (path) => {
    if (failures >= failuresInARowMax || !isOnline()) return null;
    try {
      const found = await files.archive.download(path);
      failures = 0;
      return found;
    } catch {
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
  readonly download: Download;
  /** The names of the files that could not be had, or that the zip has no room for. */
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
  /** Its name in the lists of what the zip lacks. */
  readonly title: string;
  /** Whether it is missing if it was not found. */
  readonly isExpected: boolean;
}

interface AddedFile<Found> {
  /** Null if there is none, or it cannot be read. */
  readonly found: Found | null;
  /** The name beside the page; null if the bytes are missing, or the zip file has no room for them. */
  readonly name: string | null;
  /** The path in the zip file, likewise. */
  readonly path: string | null;
  /** The type of the bytes, if there are any. */
  readonly contentType?: string;
}

/** Adds a file to the zip. If it is missing, or cannot be read on this device, its name joins the list of what the zip lacks. */
async function addFile<Found extends FileContent>(
  { zip, missing }: Export,
  reading: Promise<Found | null>,
  file: FileToAdd,
): Promise<AddedFile<Found>> {
  const { stem, folder, modifiedMs, title } = file;
  let { isExpected } = file;
  const found = await reading.catch(() => {
    isExpected = true;
    return null;
  });
  if (found === null) {
    if (isExpected) missing.push(title);
    return { found, name: null, path: null };
  }
  const { bytes, contentType } = found;
  if (!zip.hasRoomFor(bytes.byteLength)) {
    missing.push(title);
    return { found, name: null, path: null, contentType };
  }
  const known = pictureExtensions[contentType] ?? audioExtension(contentType);
  const name = `${folder.names(stem)}.${known ?? file.extension}`;
  const path = `${folder.name}/${name}`;
  await zip.add({ name: path, content: new Blob([bytes]), modifiedMs, isText: false });
  return { found, name, path, contentType };
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
  const { archive, download, source } = run;
  run.signal.throwIfAborted();
  const atMs = row.fields.createdDate ?? 0;
  const isSpoken = row.fields.type === 'voice-note';
  const stem = `voice-notes/${stemOf(atMs)}`;
  const title = missingName(folder.title, atMs);
  const place = { stem, extension: 'audio', folder, modifiedMs: atMs, title, isExpected: isSpoken };
  const reading = isSpoken ? archive.recording(row, download) : Promise.resolve(null);
  const { name, path, contentType = row.fields.contentType } = await addFile(run, reading, place);
  folder.page.addEntry({ row, file: name });
  run.onEntry();
  if (source.isBegun(row)) {
    // An import would take the beginning for the whole recording.
    if (path !== null) run.missing.push(`${title}: only its beginning`);
    return;
  }
  run.list.addEntry(entryToExport({ row, file: path, contentType }));
  if (isSpoken) run.count.voiceNotes += 1;
  else run.count.notes += 1;
}

const versionsTitle = 'Other versions';

/** Adds the files of the versions that a merge did not choose. @returns the versions with the names of their files. */
async function addVersions(run: Export, versions: readonly ConflictVersion[], name: string) {
  const folder = { name, names: createNames() };
  const added: ExportedVersion[] = [];
  for (const version of versions) {
    run.signal.throwIfAborted();
    const stem = version.collection === 'pets' ? 'picture' : 'voice-note';
    const title = `${versionsTitle}, ${stem}`;
    const isExpected = fileOf(version) !== null;
    const modifiedMs = version.keptAtMs;
    const place = { stem, extension: 'file', folder, modifiedMs, title, isExpected };
    const reading = run.archive.ofVersion(version, run.download);
    const { path: file } = await addFile(run, reading, place);
    added.push({ ...version, file });
  }
  return added;
}

async function addFolder(run: Export, pet: Pet | null, name: string) {
  const { archive, download, source, exportedAtMs } = run;
  const names = createNames();
  const beside = { name, names };
  const title = pet?.fields.name ?? name;
  let picture: string | null | undefined;
  if (pet !== null) {
    const isExpected = pet.fields.profilePicturePath !== undefined || source.isUnplaced(pet);
    const place = {
      stem: 'picture',
      extension: 'picture',
      folder: beside,
      modifiedMs: exportedAtMs,
      title: missingName(title, null),
      isExpected,
    };
    const added = await addFile(run, archive.picture(pet, download), place);
    const { found, name: file, path, contentType } = added;
    picture = found === null && !isExpected ? undefined : file;
    run.list.addPet(
      petToExport({ row: pet, file: path, contentType }, found?.isOlder || undefined),
    );
  }
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
  const { createdDate: _, ...shown } = fields;
  const text = String(shown['text'] ?? Object.values(shown).join(', '));
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
    download: createDownload(deps),
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
    const name = folders(folderName(pet?.fields.name ?? dogless, 'Dog'));
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
