import { readFile } from 'node:fs/promises';
import type { Log } from '../log.ts';
import { compileRules } from '../rules/compile/compile-rules.ts';
import type { Service } from '../rules/library/services.ts';
import { createRuleset, type Ruleset } from '../rules/ruleset.ts';

/**
 * Reads the rules of a service, which hold until the server stops. Without a file, the rules deny everything.
 *
 * @throws {RulesError} when the rules are invalid, or the error of reading the file.
 */
export async function readRules(
  file: string | undefined,
  service: Service,
  log: Log,
): Promise<Ruleset> {
  if (file !== undefined) return compileRules(await readFile(file, 'utf8'), { file, service });
  log.warn('no rules: clients may read and write nothing', { service });
  return createRuleset([]);
}
