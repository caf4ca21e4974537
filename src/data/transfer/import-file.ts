import * as v from 'valibot';
import {
  exportedEntrySchema,
  exportedPetSchema,
  exportListName,
  exportListSchema,
  exportVersion,
} from '../../../schemas/export-file.ts';
import { exportListMaxBytes, exportMaxBytes } from '../../../schemas/limits.ts';
import { openZip, ZipError, type Zip } from '../../lib/zip/zip-reader.ts';
import { CommandError } from '../commands/commands.ts';

/** An export file that is open and checked. */
export type ImportFile = Awaited<ReturnType<typeof openImportFile>>;

const unchanged = 'Nothing was changed.';

export const importSentences = {
  notZip: `This is not a zip file, or it is damaged. ${unchanged}`,
  unsafe: `This zip has something in it that PawPals would never write. ${unchanged}`,
  notOurs: `There is no PawPals journal in this zip. Choose one that was exported from PawPals. ${unchanged}`,
  newer: `This file was made by a newer version of PawPals. Reload this page to update, then try again. ${unchanged}`,
  tooLarge: `This file is larger than PawPals can import. ${unchanged}`,
} as const;

const problemSentences = { damaged: importSentences.notZip, unsafe: importSentences.unsafe };

function refuse(sentence: string, cause?: unknown): never {
  throw new CommandError('invalid', sentence, { cause });
}

function refuseZip(error: unknown): never {
  const problem = error instanceof ZipError ? error.problem : 'damaged';
  return refuse(problemSentences[problem], error);
}

/** Returns the folder of the list in the zip: '' or a folder, because unpacking and packing again may add one. */
function folderOfList(zip: Zip): string {
  const found = [...zip.entries.keys()]
    .filter((name) => name === exportListName || name.endsWith(`/${exportListName}`))
    .toSorted((one, other) => one.length - other.length);
  const name = found.find((each) => !each.startsWith('__MACOSX/'));
  return name === undefined
    ? refuse(importSentences.notOurs)
    : name.slice(0, -exportListName.length);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return refuse(importSentences.notOurs, error);
  }
}

const versionOnlySchema = v.pick(exportListSchema, ['format', 'version']);

async function readList(zip: Zip, folder: string) {
  const name = `${folder}${exportListName}`;
  if ((zip.entries.get(name)?.byteLength ?? 0) > exportListMaxBytes) {
    refuse(importSentences.tooLarge);
  }
  const bytes = await zip.read(name, exportListMaxBytes).catch(refuseZip);
  const parsed = parseJson(new TextDecoder().decode(bytes ?? new Uint8Array()));
  const head = v.safeParse(versionOnlySchema, parsed);
  if (head.success && head.output.version > exportVersion) refuse(importSentences.newer);
  const list = v.safeParse(exportListSchema, parsed);
  return list.success ? list.output : refuse(importSentences.notOurs);
}

function readAll<Schema extends v.GenericSchema<unknown, { readonly id: string }>>(
  schema: Schema,
  items: readonly unknown[],
): readonly v.InferOutput<Schema>[] {
  const read = new Map<string, v.InferOutput<Schema>>();
  for (const item of items) {
    const { success, output } = v.safeParse(schema, item);
    if (success && !read.has(output.id)) read.set(output.id, output);
  }
  return [...read.values()];
}

/** Opens an export file. @throws {CommandError} with a sentence if it is not one. */
export async function openImportFile(file: Blob) {
  // The limit includes the pages and the list.
  if (file.size > exportMaxBytes + exportListMaxBytes) refuse(importSentences.tooLarge);
  const zip = await openZip(file).catch(refuseZip);
  const folder = folderOfList(zip);
  const list = await readList(zip, folder);
  const pets = readAll(exportedPetSchema, list.pets);
  const entries = readAll(exportedEntrySchema, list.entries);
  return {
    exportedAtMs: list.exportedAt,
    owner: list.owner,
    pets,
    entries,
    /** The number of other versions and drafts in the list. */
    unsaved: list.otherVersions.length + list.drafts.length,
    /** The number of dogs and entries that are invalid, or in the list twice. */
    unreadable: list.pets.length + list.entries.length - pets.length - entries.length,
    has: (name: string) => zip.entries.has(`${folder}${name}`),
    /** Returns the bytes of a file; null if they are missing, damaged, or larger than `maxBytes`. */
    readBytes: async (name: string, maxBytes: number): Promise<ArrayBuffer | null> => {
      try {
        return (await zip.read(`${folder}${name}`, maxBytes))?.buffer ?? null;
      } catch (error) {
        if (error instanceof ZipError) return null;
        throw error;
      }
    },
  };
}
