import ts from 'typescript';
import { replacements } from './replacements.ts';

/** One change of one place in a source file. */
export interface Mutant {
  /** The path of the file, from the project's folder. */
  readonly file: string;
  /** Counts from 1. */
  readonly line: number;
  readonly start: number;
  readonly end: number;
  /** The text between `start` and `end`. */
  readonly original: string;
  readonly replacement: string;
}

const isModuleText = (node: ts.Node): boolean =>
  ts.isImportDeclaration(node) ||
  ts.isExportDeclaration(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isModuleDeclaration(node) ||
  ts.isTypeNode(node) ||
  ts.isTypeParameterDeclaration(node);

const calledName = ({ expression }: ts.CallExpression): string => {
  if (ts.isIdentifier(expression)) return expression.text;
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : '';
};

const isLog = (node: ts.Node): boolean =>
  ts.isCallExpression(node) &&
  (calledName(node) === 'log' || node.expression.getText().startsWith('console.'));

const isLogging = (node: ts.Node): boolean =>
  isLog(node) ||
  (ts.isExpressionStatement(node) && isLog(node.expression)) ||
  (ts.isArrowFunction(node) && isLog(node.body));

/** The message and the cause of an error are for developers: code tells errors apart by their class and code. */
function isForDevelopers(node: ts.Node): boolean {
  if (!ts.isExpression(node) || !ts.isNewExpression(node.parent)) return false;
  const isMessage = node.parent.expression.getText() === 'Error';
  const isCause =
    ts.isObjectLiteralExpression(node) && node.properties[0]?.name?.getText() === 'cause';
  return isMessage || isCause;
}

const isLoadedPath = (node: ts.Node): boolean =>
  ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;

/**
 * Returns every mutant of a source file, in the order of the text.
 *
 * - Types, imports, logs, and the messages and causes of errors have none: no behaviour depends on them.
 * - A replacement differs from the original, and is in its place valid syntax.
 */
export function placeMutants(file: string, text: string): Mutant[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);
  const mutants: Mutant[] = [];
  const visit = (node: ts.Node): void => {
    if (isModuleText(node) || isLogging(node) || isLoadedPath(node) || isForDevelopers(node))
      return;
    for (const { from = node, to } of replacements(node)) {
      const [start, end] = [from.getStart(source), from.getEnd()];
      const original = text.slice(start, end);
      if (original === to) continue;
      const line = source.getLineAndCharacterOfPosition(start).line + 1;
      mutants.push({ file, line, start, end, original, replacement: to });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return mutants;
}

/** Returns the file's text with the mutant in it. */
export const applyMutant = (text: string, { start, end, replacement }: Mutant): string =>
  text.slice(0, start) + replacement + text.slice(end);
