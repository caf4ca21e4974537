/**
 * What came to the language and to the web after the oldest browsers of package.json, as calls that fail there. A use behind
 * a test for its presence is no call of this form in the code that is built today.
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
  /\bIntl\.DurationFormat\b/g,
  /\bUint8Array\.from(?:Base64|Hex)\(/g,
  /\.(?:isWellFormed|toWellFormed|symmetricDifference|isSubsetOf|isSupersetOf|isDisjointFrom)\(/g,
  /\.(?:getOrInsert|getOrInsertComputed|transferToFixedLength|setFromBase64|setFromHex)\(/g,
];

/** @returns the calls in that code which one of the oldest browsers does not know. */
export function newerCalls(code: string): string[] {
  return newerApis.flatMap((api) => [...code.matchAll(api)].map(([call]) => call));
}
