import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { compileRules } from '../../../backend/src/rules/compile/compile-rules.ts';

/** The allow statements of a rules file, each with a name that a table can use. */
export interface AllowLine {
  /** The innermost match and the methods, such as `/pets/{petId} get`; the second with the same name is `... (2)`. */
  readonly name: string;
  /** Offsets of the statement in the file. */
  readonly start: number;
  readonly end: number;
}

type Service = 'cloud.firestore' | 'firebase.storage';

export async function readAllowLines(file: string, service: Service): Promise<AllowLine[]> {
  const source = await readFile(file, 'utf8');
  const lines = source.split('\n');
  const names = new Map<string, number>();
  return compileRules(source, { file, service }).allowLines.map(({ line, column, words }) => {
    const start = lines.slice(0, line - 1).join('\n').length + column;
    const plain = `${enclosingMatch(lines, line - 1)} ${words.join(', ')}`;
    const count = (names.get(plain) ?? 0) + 1;
    names.set(plain, count);
    const name = count === 1 ? plain : `${plain} (${count})`;
    return { name, start, end: endOfStatement(source, start) };
  });
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** Returns the path of the innermost match, found by indentation: the rules files are formatted consistently. */
function enclosingMatch(lines: readonly string[], at: number): string {
  const indent = indentOf(lines[at] ?? '');
  const match = lines
    .slice(0, at)
    .findLast((line) => line.trimStart().startsWith('match ') && indentOf(line) < indent);
  return match?.trim().replace(/^match (.*) \{$/, '$1') ?? 'no match';
}

/** Returns the offset after the next semicolon outside a string. */
function endOfStatement(source: string, start: number): number {
  let isText = false;
  for (let at = start; at < source.length; at += 1) {
    const letter = source[at];
    if (letter === "'") isText = !isText;
    if (letter === ';' && !isText) return at + 1;
  }
  throw new Error('The statement has no end.');
}

/** Writes a copy of the file without the statement, for the current test. @returns the path of the copy. */
export async function withoutAllow(file: string, { start, end }: AllowLine): Promise<string> {
  const source = await readFile(file, 'utf8');
  const folder = await mkdtemp(join(tmpdir(), 'pawpals-rules-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const copy = join(folder, basename(file));
  await writeFile(copy, source.slice(0, start) + source.slice(end));
  return copy;
}
