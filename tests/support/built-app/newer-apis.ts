/**
 * Calls of the language and of web APIs that fail in the oldest browsers of package.json. A use behind a feature test
 * does not have this form in the code that is built today.
 */
const newerApis: readonly RegExp[] = [
  /\bURL\.(?:canParse|parse)\(/g,
  /\bPromise\.(?:withResolvers|try)\(/g,
  /\b(?:Array\.fromAsync|ReadableStream\.from)\(/g,
  /\b(?:Object|Map)\.groupBy\(/g,
  /\bAbortSignal\.any\(/g,
  /\bIterator\.(?:from|concat)\(/g,
  /\bRegExp\.escape\(/g,
  /\bError\.isError\(/g,
  // Dexie asks for it first.
  /\bindexedDB\.databases\((?!\)\.finally)/g,
  /\bIntl\.DurationFormat\b/g,
  /\bUint8Array\.from(?:Base64|Hex)\(/g,
  /\.(?:isWellFormed|toWellFormed|symmetricDifference|isSubsetOf|isSupersetOf|isDisjointFrom)\(/g,
  /\.(?:getOrInsert|getOrInsertComputed|transferToFixedLength|setFromBase64|setFromHex)\(/g,
];

/** @returns the calls in that code that one of the oldest browsers does not support. */
export function newerCalls(code: string): string[] {
  return newerApis.flatMap((api) => [...code.matchAll(api)].map(([call]) => call));
}
