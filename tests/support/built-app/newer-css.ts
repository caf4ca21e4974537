import { createRequire } from 'node:module';
import type { CompatData, CompatStatement, Identifier } from '@mdn/browser-compat-data';
import { parse, type AtRule, type Declaration, type Rule } from 'postcss';

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the package has this type, and the settings allow no import of JSON
const { css } = createRequire(import.meta.url)('@mdn/browser-compat-data') as CompatData;

/** Returns a browser's name and its oldest version from a build target such as `chrome110`. */
function browserOf(target: string): { readonly name: string; readonly version: number } {
  const [, name = '', version = ''] = /^([a-z]+)([\d.]+)$/.exec(target) ?? [];
  return { name, version: Number(version) };
}

function lacks({ support }: CompatStatement, target: string): boolean {
  const { name, version } = browserOf(target);
  const found = Object.entries(support).find(([browser]) => browser === name)?.[1];
  return ![found].flat().some((statement) => {
    if (statement === undefined || statement.flags || statement.prefix) return false;
    if (statement.alternative_name) return false;
    const since = String(statement.version_added).replace('≤', '');
    return Number(since) <= version;
  });
}

type Feature = readonly [name: string, data: Identifier | undefined];

/** Collects the functions and value types of CSS, which the data nests at several depths. */
function collectTypes(at: Identifier, found = new Map<string, Identifier>()) {
  for (const name of Object.keys(at)) {
    const below = at[name];
    if (name === '__compat' || below === undefined) continue;
    if (!found.has(name)) found.set(name, below);
    collectTypes(below, found);
  }
  return found;
}

const types = collectTypes(css.types ?? {});

function featuresOfRule(rule: Rule): Feature[] {
  // Tailwind's class names contain escaped punctuation.
  const selector = rule.selector.replace(/\\./g, '');
  const names = [...selector.matchAll(/:([a-z-]+)/g)].map(([, name = '']) => name);
  const isNested = selector.includes('&') || rule.parent?.type === 'rule';
  return [
    ...names.map((name): Feature => [`:${name} in ${selector}`, css.selectors?.[name]]),
    ...(isNested ? [['nesting', css.selectors?.['nesting']] as const] : []),
  ];
}

function featuresOfAtRule({ name, params }: AtRule): Feature[] {
  const rule = css['at-rules']?.[name];
  const media = [...params.matchAll(/\(([a-z-]+)/g)].map(([, feature = '']) => feature);
  return [
    [`@${name}`, rule],
    ...media.map((feature): Feature => [`@${name} (${feature})`, rule?.[feature]]),
  ];
}

function featuresOfDeclaration({ prop, value, parent }: Declaration): Feature[] {
  const hasPrefixed = parent?.some(
    (node) => node.type === 'decl' && node.prop === `-webkit-${prop}`,
  );
  if (hasPrefixed === true) return [];
  if (prop.startsWith('--')) return featuresOfFunctions(value);
  const property = css.properties?.[prop];
  const words = [...value.matchAll(/(?<![\w-])[a-z][a-z-]*(?![\w(-])/g)].map(([word]) => word);
  return [
    [prop, property],
    ...words.map((word): Feature => [`${prop}: ${word}`, property?.[word]]),
    ...featuresOfFunctions(value),
  ];
}

function featuresOfFunctions(value: string): Feature[] {
  return [...value.matchAll(/(?<![\w-])([a-z][a-z-]*)\(/g)].map(([, name = '']) => [
    `${name}()`,
    types.get(name),
  ]);
}

/**
 * Returns the features of a style sheet that one of these browsers does not support. Rules inside `@supports` are left
 * out.
 * @param targets build targets such as `chrome110`.
 */
export function newerCss(text: string, targets: readonly string[]): string[] {
  const features: Feature[] = [];
  const root = parse(text);
  root.walkAtRules('supports', (rule) => {
    rule.remove();
  });
  root.walk((node) => {
    if (node.type === 'rule') features.push(...featuresOfRule(node));
    if (node.type === 'atrule') features.push(...featuresOfAtRule(node));
    if (node.type === 'decl') features.push(...featuresOfDeclaration(node));
  });
  const found = features.flatMap(([name, data]) => {
    const compat = data?.['__compat'];
    const without = compat === undefined ? [] : targets.filter((target) => lacks(compat, target));
    return without.length === 0 ? [] : [`${without.join(', ')}: ${name}`];
  });
  return [...new Set(found)].toSorted();
}

/** The unsupported features that the app uses, each with the effect that its absence has in an old browser. */
export const sparedCss: readonly (readonly [feature: RegExp, without: string])[] = [
  [/:(?:open|popover-open) in /, 'stands in a forgiving list behind [open], which all know'],
  [/: @starting-style$/, 'a dialog is there without its transition'],
  [/: text-wrap/, 'the lines of a heading are not balanced'],
  [/: font-family: ui-/, 'the next font of the list is taken'],
  [/: scrollbar-/, 'the scroll bar has the look and the place that the browser gives it'],
  [/: -webkit-tap-highlight-color$/, 'a tap is highlighted'],
  [/: text-size-adjust$/, 'Safari takes the prefixed one, and Firefox enlarges no text on its own'],
  [/::-webkit-(?:inner-spin|search-cancel)-button$/, 'a part that only others have'],
  [/: @property$/, 'Tailwind sets the same values in a rule that asks by @supports'],
  [/:has in \S*:has\(\.modal-actions\)$/, 'a sheet has more room below its buttons'],
  [/:has in \S*:has\(\.month-row\)/, 'the title of the calendar scrolls away on a low screen'],
  [
    /:has in \S*:has\(~\.recording-bar\)$/,
    'by keyboard, the covered box is reached while recording',
  ],
  // Firefox 115 ESR exists for desktops only, and Firefox for Android updates itself.
  [/:has\(.*\.composer :focus\)/, 'an on-screen keyboard leaves the heading its whole height'],
];
