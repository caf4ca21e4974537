import type { Entry, Pet } from '../../../schemas/documents/document.ts';
import { countText } from '../../lib/text/count-text.ts';
import { durationText } from '../../lib/dates/duration-text.ts';
import { clockText, exactTimeText, fullDayText, noDate } from '../../lib/dates/entry-time-text.ts';
import { createTextParts } from './export-records.ts';
import { dogless, type Contents } from './transfers.ts';

/** The text in a page in place of a missing file. */
const notHere = 'not in this file';

/**
 * Returns the text as written, with everything escaped that Markdown takes for a heading, list, quote, HTML or link.
 */
function asMarkdown(text: string): string {
  return text
    .replaceAll(/[\\<[\]]|&(?=#?\w+;)/g, '\\$&')
    .replaceAll(/^([^\S\n\r\u2028\u2029]*)(?:([#>*+=|~`-])|(\d+)([.)])(?!\S))/gm, '$1$3\\$2$4')
    .replaceAll(/(?<=[^\n])\r?\n(?=[^\n])/g, '  \n');
}

/** Returns a link target. Spaces and brackets would end a link, so they are encoded. */
function linkTo(file: string): string {
  return file.split('/').map(encodeURIComponent).join('/').replaceAll("'", '%27');
}

export interface PageEntry {
  readonly row: Entry;
  /** The path of its file relative to the page; null if the zip file does not have it. */
  readonly file: string | null;
}

function factsOf({ fields: { breed, dob, description } }: Pet): string {
  const facts = [
    breed !== undefined && `Breed: ${asMarkdown(breed)}`,
    dob !== undefined && `Born: ${dob}`,
  ].filter((fact) => fact !== false);
  const lines = facts.length === 0 ? '' : `${facts.join('  \n')}\n\n`;
  return description === undefined ? lines : `${lines}${asMarkdown(description)}\n\n`;
}

function spoken({ row, file }: PageEntry): string {
  const length =
    row.fields.durationMs === undefined ? '' : `, ${durationText(row.fields.durationMs)}`;
  const title = `Voice note${length}`;
  return file === null ? `${title} (${notHere})` : `[${title}](${linkTo(file)})`;
}

function entryText(entry: PageEntry): string {
  const {
    fields: { createdDate = 0, type, text = '' },
  } = entry.row;
  const time = `**${createdDate === 0 ? noDate : clockText(createdDate)}**`;
  const words = asMarkdown(text);
  if (type !== 'voice-note') return `${time}  \n${words}\n\n`;
  return `${time} ${spoken(entry)}\n\n${words === '' ? '' : `${words}\n\n`}`;
}

export interface PageHead {
  /** The dog; null for the page of entries whose dog is deleted. */
  readonly pet: Pet | null;
  /** The path as in {@link PageEntry.file}; undefined if the dog has no picture. */
  readonly picture: string | null | undefined;
}

/** A dog's journal as a page to read: newest entry first, grouped by day. */
export function createJournalPage({ pet, picture }: PageHead) {
  const parts = createTextParts();
  parts.write(`# ${asMarkdown(pet?.fields.name ?? dogless)}\n\n`);
  if (picture === null) parts.write(`Picture (${notHere})\n\n`);
  else if (picture !== undefined) parts.write(`![Picture](${linkTo(picture)})\n\n`);
  if (pet !== null) parts.write(factsOf(pet));
  let day = '';
  return {
    addEntry: (entry: PageEntry): void => {
      const ownDay = fullDayText(entry.row.fields.createdDate ?? 0);
      if (ownDay !== day) parts.write(`## ${ownDay}\n\n`);
      day = ownDay;
      parts.write(entryText(entry));
    },
    toBlob: parts.toBlob,
  };
}

export interface SummaryInput extends Contents {
  readonly exportedAtMs: number;
  /** The names of all files that the zip file lacks, with their dogs, and of what else it lacks. */
  readonly missing: readonly string[];
  readonly drafts: readonly string[];
  /** The texts that a merge did not choose. */
  readonly otherVersions: readonly string[];
}

function section(title: string, texts: readonly string[]): string {
  return texts.length === 0
    ? ''
    : `## ${title}\n\n${texts.map((text) => `${asMarkdown(text)}\n\n`).join('')}`;
}

/** Returns the first page of the zip file, which lists what the zip holds and what it lacks. */
export function summaryPage(input: SummaryInput): string {
  const { pets, notes, voiceNotes, missing } = input;
  const list = missing.map((name) => `- ${asMarkdown(name)}\n`).join('');
  const notIn =
    missing.length === 0
      ? 'All recordings and pictures are in it.\n\n'
      : `## Not in it\n\nThese could not be fetched, were still being recorded, or one file had no room for them. Export again with a connection, or one dog at a time, to have them.\n\n${list}\n`;
  return `# PawPals\n\nExported on ${exactTimeText(input.exportedAtMs)}: ${countText(pets, 'dog')}, ${countText(notes, 'note')} and ${countText(voiceNotes, 'voice note')}.

Each dog has a folder, with a page to read. The file pawpals.json is for PawPals: choose this zip under Settings, Import, to have the dogs and notes back.\n\n${notIn}${section('Drafts', input.drafts)}${section('Other versions', input.otherVersions)}`;
}

/** Returns the name of a missing file for a list: "Bramble, 3 March 2026 at 14:05, voice note". */
export function missingName(petName: string, atMs: number | null): string {
  return atMs === null ? `${petName}, picture` : `${petName}, ${exactTimeText(atMs)}, voice note`;
}
