import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns null if there is no such file. */
export async function readText(root: string, path: string): Promise<string | null> {
  try {
    return await readFile(join(root, path), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Returns null if there is no such file or it is invalid JSON. */
export async function readJson(root: string, path: string): Promise<unknown> {
  const text = await readText(root, path);
  try {
    return text === null ? null : (JSON.parse(text) as unknown);
  } catch {
    return null;
  }
}
