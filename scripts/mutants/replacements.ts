import ts from 'typescript';

/** A text that takes the place of a node: of the visited node, unless `from` names another. */
export interface Replacement {
  readonly from?: ts.Node;
  readonly to: string;
}

const { SyntaxKind } = ts;

/** The operators of StrykerJS, https://stryker-mutator.io/docs/mutation-testing-elements/supported-mutators. */
const operators = new Map<ts.SyntaxKind, readonly string[]>([
  [SyntaxKind.LessThanToken, ['<=', '>=']],
  [SyntaxKind.LessThanEqualsToken, ['<', '>']],
  [SyntaxKind.GreaterThanToken, ['>=', '<=']],
  [SyntaxKind.GreaterThanEqualsToken, ['>', '<']],
  [SyntaxKind.EqualsEqualsEqualsToken, ['!==']],
  [SyntaxKind.ExclamationEqualsEqualsToken, ['===']],
  [SyntaxKind.AmpersandAmpersandToken, ['||']],
  [SyntaxKind.BarBarToken, ['&&']],
  [SyntaxKind.PlusToken, ['-']],
  [SyntaxKind.MinusToken, ['+']],
  [SyntaxKind.AsteriskToken, ['/']],
  [SyntaxKind.SlashToken, ['*']],
  [SyntaxKind.PercentToken, ['*']],
  [SyntaxKind.PlusEqualsToken, ['-=']],
  [SyntaxKind.MinusEqualsToken, ['+=']],
  [SyntaxKind.QuestionQuestionEqualsToken, ['=']],
]);

const methods = new Map<string, string>([
  ['every', 'some'],
  ['some', 'every'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
  ['min', 'max'],
  ['max', 'min'],
  ['toLowerCase', 'toUpperCase'],
  ['toUpperCase', 'toLowerCase'],
]);

/** Methods without which a chain of calls remains a chain of calls. */
const removableMethods = new Set(['filter', 'slice', 'toSorted', 'toReversed', 'trim', 'reverse']);

const isText = (node: ts.Node): boolean =>
  ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);

const isConcatenation = (node: ts.BinaryExpression): boolean =>
  node.operatorToken.kind === SyntaxKind.PlusToken &&
  [node.left, node.right].some(
    (side) => isText(side) || (ts.isBinaryExpression(side) && isConcatenation(side)),
  );

function binaryReplacements(node: ts.BinaryExpression): Replacement[] {
  const { operatorToken, left } = node;
  if (operatorToken.kind === SyntaxKind.QuestionQuestionToken) return [{ to: left.getText() }];
  if (isConcatenation(node)) return [];
  const others = operators.get(operatorToken.kind) ?? [];
  return others.map((to) => ({ from: operatorToken, to }));
}

function unaryReplacements(node: ts.PrefixUnaryExpression): Replacement[] {
  const operand = node.operand.getText();
  switch (node.operator) {
    case SyntaxKind.ExclamationToken:
    case SyntaxKind.MinusToken:
      return [{ to: operand }];
    case SyntaxKind.PlusPlusToken:
      return [{ to: `--${operand}` }];
    case SyntaxKind.MinusMinusToken:
      return [{ to: `++${operand}` }];
    default:
      return [];
  }
}

/** A loop whose condition is always true never ends, so it only becomes one that never starts. */
const conditionReplacements = (condition: ts.Expression, isLoop: boolean): Replacement[] =>
  (isLoop ? ['false'] : ['true', 'false']).map((to) => ({ from: condition, to }));

function callReplacements(node: ts.CallExpression): Replacement[] {
  const called = node.expression;
  if (!ts.isPropertyAccessExpression(called)) return [];
  const other = methods.get(called.name.text);
  if (other !== undefined) return [{ from: called.name, to: other }];
  return removableMethods.has(called.name.text) ? [{ to: called.expression.getText() }] : [];
}

/** A text that names a property, or that a function turns into a value. */
const isNameOrTagged = (node: ts.Node): boolean =>
  ts.isTaggedTemplateExpression(node.parent) ||
  (ts.isPropertyAssignment(node.parent) && node.parent.name === node);

function textReplacements(node: ts.Node): Replacement[] {
  if (isNameOrTagged(node)) return [];
  return [{ to: ['``', "''"].includes(node.getText()) ? "'mutant'" : "''" }];
}

/** The constructor of a derived class cannot do without `super()`, so constructors keep their bodies. */
const canBeEmptied = ({ parent, statements }: ts.Block): boolean =>
  statements.length > 0 &&
  !ts.isConstructorDeclaration(parent) &&
  (ts.isFunctionLike(parent) || ts.isTryStatement(parent) || ts.isCatchClause(parent));

const isSuperCall = ({ expression }: ts.ExpressionStatement): boolean =>
  ts.isCallExpression(expression) && expression.expression.kind === SyntaxKind.SuperKeyword;

function statementReplacements(node: ts.Node): Replacement[] {
  if (ts.isIfStatement(node)) return conditionReplacements(node.expression, false);
  if (ts.isWhileStatement(node)) return conditionReplacements(node.expression, true);
  if (ts.isForStatement(node) && node.condition) return conditionReplacements(node.condition, true);
  if (ts.isBlock(node) && canBeEmptied(node)) return [{ to: '{}' }];
  const isRemovable =
    ts.isForOfStatement(node) ||
    ts.isThrowStatement(node) ||
    (ts.isExpressionStatement(node) && !isSuperCall(node)) ||
    (ts.isReturnStatement(node) && node.expression === undefined);
  return isRemovable ? [{ to: ';' }] : [];
}

/** Replaces `a?.b` by `a.b`, and `a?.(b)` and `a?.[b]` by `a(b)` and `a[b]`. */
function optionalChainReplacements(node: ts.Node): Replacement[] {
  if (ts.isPropertyAccessExpression(node) && node.questionDotToken)
    return [{ from: node.questionDotToken, to: '.' }];
  const isCallOrElement = ts.isCallExpression(node) || ts.isElementAccessExpression(node);
  return isCallOrElement && node.questionDotToken ? [{ from: node.questionDotToken, to: '' }] : [];
}

function expressionReplacements(node: ts.Node): Replacement[] {
  if (ts.isBinaryExpression(node)) return binaryReplacements(node);
  if (ts.isPrefixUnaryExpression(node)) return unaryReplacements(node);
  if (ts.isPostfixUnaryExpression(node)) {
    const operator = node.operator === SyntaxKind.PlusPlusToken ? '--' : '++';
    return [{ to: `${node.operand.getText()}${operator}` }];
  }
  if (ts.isConditionalExpression(node)) return conditionReplacements(node.condition, false);
  if (ts.isArrowFunction(node) && !ts.isBlock(node.body))
    return [{ from: node.body, to: 'undefined' }];
  if (ts.isArrayLiteralExpression(node) && node.elements.length > 0) return [{ to: '[]' }];
  if (ts.isObjectLiteralExpression(node) && node.properties.length > 0) return [{ to: '{}' }];
  if (isText(node)) return textReplacements(node);
  if (node.kind === SyntaxKind.TrueKeyword) return [{ to: 'false' }];
  if (node.kind === SyntaxKind.FalseKeyword) return [{ to: 'true' }];
  return ts.isCallExpression(node) ? callReplacements(node) : [];
}

/** Returns the texts that a mutant can put into the place of a node, or of one of its parts. */
export const replacements = (node: ts.Node): Replacement[] => [
  ...statementReplacements(node),
  ...expressionReplacements(node),
  ...optionalChainReplacements(node),
];
