import type { EntryRow, PetRow } from '../../../schemas/documents/document.ts';
import { countText } from '../../lib/text/count-text.ts';
import { durationText } from '../../lib/dates/duration-text.ts';
import { createTextParts } from './export-records.ts';
import type { Contents } from './transfers.ts';

/** What stands in a page where a file should be, and is not. */
const notHere = 'not on this device';

const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full' });
const timeFormat = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' });
const stampFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short' });

/** As it was written, but for what Markdown would take for a heading, a list, a quote, HTML, or a link. */
function asMarkdown(text: string): string {
  return text
    .replaceAll(/[\\<[\]]/g, '\\$&')
    .replaceAll(/^(\s*)([#>*+=|~`-]|\d+[.)])/gm, '$1\\$2')
    .replaceAll(/(?<=[^\n])\r?\n(?=[^\n])/g, '  \n');
}

/** Spaces and brackets would end a link. */
function linkTo(file: string): string {
  return file.split('/').map(encodeURIComponent).join('/').replaceAll("'", '%27');
}

export interface PageEntry {
  readonly row: EntryRow;
  /** Beside the page; null: not in the zip file. */
  readonly file: string | null;
}

/** A dog's journal to be read by people: newest first, under the days. */
export interface JournalPage {
  addEntry(entry: PageEntry): void;
  toBlob(): Blob;
}

function factsOf({ breed, dob, description }: PetRow): string {
  const facts = [
    breed !== undefined && `Breed: ${asMarkdown(breed)}`,
    dob !== undefined && `Born: ${dob}`,
  ].filter((fact) => fact !== false);
  const lines = facts.length === 0 ? '' : `${facts.join('  \n')}\n\n`;
  return description === undefined ? lines : `${lines}${asMarkdown(description)}\n\n`;
}

function spoken({ row, file }: PageEntry): string {
  const length = row.durationMs === undefined ? '' : `, ${durationText(row.durationMs)}`;
  const title = `Voice note${length}`;
  return file === null ? `${title} (${notHere})` : `[${title}](${linkTo(file)})`;
}

function entryText(entry: PageEntry): string {
  const { createdDate = 0, type, text = '' } = entry.row;
  const time = `**${timeFormat.format(createdDate)}**`;
  const words = asMarkdown(text);
  if (type !== 'voice-note') return `${time}  \n${words}\n\n`;
  return `${time} ${spoken(entry)}\n\n${words === '' ? '' : `${words}\n\n`}`;
}

export interface PageHead {
  /** null: entries whose dog is gone. */
  readonly pet: PetRow | null;
  /** As {@link PageEntry.file}; undefined: it has none. */
  readonly picture: string | null | undefined;
}

export function createJournalPage({ pet, picture }: PageHead): JournalPage {
  const parts = createTextParts();
  parts.write(`# ${asMarkdown(pet?.name ?? 'Notes without a dog')}\n\n`);
  if (picture === null) parts.write(`Picture (${notHere})\n\n`);
  else if (picture !== undefined) parts.write(`![Picture](${linkTo(picture)})\n\n`);
  if (pet !== null) parts.write(factsOf(pet));
  let day = '';
  return {
    addEntry: (entry) => {
      const ownDay = dayFormat.format(entry.row.createdDate ?? 0);
      if (ownDay !== day) parts.write(`## ${ownDay}\n\n`);
      day = ownDay;
      parts.write(entryText(entry));
    },
    toBlob: () => parts.toBlob(),
  };
}

export interface SummaryInput extends Contents {
  readonly exportedAtMs: number;
  /** Names of all files that are not in it, and whose they are. */
  readonly missing: readonly string[];
  readonly drafts: readonly string[];
  /** Texts that a merge did not choose. */
  readonly otherVersions: readonly string[];
}

function section(title: string, texts: readonly string[]): string {
  return texts.length === 0
    ? ''
    : `## ${title}\n\n${texts.map((text) => `${asMarkdown(text)}\n\n`).join('')}`;
}

/** The first page of the zip file: what is in it, and what is not. */
export function summaryPage(input: SummaryInput): string {
  const { pets, notes, voiceNotes, missing } = input;
  const list = missing.map((name) => `- ${asMarkdown(name)}\n`).join('');
  const notIn =
    missing.length === 0
      ? 'All recordings and pictures are in it.\n\n'
      : `## Not in it\n\nThese were ${notHere}, and could not be fetched. Export again with a connection to have them.\n\n${list}\n`;
  return `# PawPals\n\nExported on ${stampFormat.format(input.exportedAtMs)}: ${countText(pets, 'dog')}, ${countText(notes, 'note')} and ${countText(voiceNotes, 'voice note')}.

Each dog has a folder, with a page to read. The file pawpals.json is for PawPals: choose this zip under Settings, Import, to have it all back.\n\n${notIn}${section('Drafts', input.drafts)}${section('Other versions', input.otherVersions)}`;
}

/** For a list of what is missing: "Bramble, 3 March 2026 at 14:05, voice note". */
export function missingName(petName: string, atMs: number | null): string {
  return atMs === null
    ? `${petName}, picture`
    : `${petName}, ${stampFormat.format(atMs)}, voice note`;
}
