import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Clock } from '../clock.ts';
import { describeError, type Log } from '../log.ts';
import { compileRules } from '../rules/compile/compile-rules.ts';
import type { Service } from '../rules/library/services.ts';
import { RulesError } from '../rules/rules-error.ts';
import { createRuleset, type Ruleset } from '../rules/ruleset.ts';

/**
 * - It has the rules of one service: those of its file, or without a file rules that deny everything.
 * - A file that is invalid when the server starts is an error; later on, the rules in force stay.
 * - A changed file comes into force within two seconds. It is polled, because a watch on a file is lost
 *   when an editor replaces it.
 */
export interface RulesFile {
  readonly current: () => Ruleset;
  /** Sets the only listener, which is called after new rules came into force. */
  onChange(listener: () => void): void;
  stop(): void;
}

export interface RulesFileDeps {
  readonly file: string | undefined;
  readonly service: Service;
  readonly clock: Clock;
  readonly log: Log;
}

const lookEveryMs = 1000;

/** @throws {RulesError} when the rules are invalid, or the error of reading the file. */
export async function openRulesFile(deps: RulesFileDeps): Promise<RulesFile> {
  const { file, service, clock, log } = deps;
  if (file === undefined) {
    log.warn('no rules: clients may read and write nothing', { service });
    const locked = createRuleset([]);
    return { current: () => locked, onChange: () => undefined, stop: () => undefined };
  }
  let source = await readFile(file, 'utf8');
  let ruleset = compileRules(source, { file, service });
  let listener: (() => void) | null = null;
  let isLooking = false;
  /** The last logged problem, so that a file that is missing for hours is logged once. */
  let problem = '';

  const look = async () => {
    const next = await readFile(file, 'utf8');
    problem = '';
    if (next === source) return;
    source = next;
    ruleset = compileRules(source, { file, service });
    log.info('rules changed', { service, file: basename(file) });
    listener?.();
  };
  const stop = clock.every(lookEveryMs, () => {
    if (isLooking) return;
    isLooking = true;
    look()
      .catch((error: unknown) => {
        const fields = { service, ...describe(error) };
        const next = JSON.stringify(fields);
        if (next !== problem) log.error('rules refused', fields);
        problem = next;
      })
      .finally(() => {
        isLooking = false;
      });
  });
  return {
    current: () => ruleset,
    onChange(next) {
      listener = next;
    },
    stop,
  };
}

function describe(error: unknown) {
  if (!(error instanceof RulesError)) return describeError(error);
  const { line, column, sentence } = error;
  return { file: basename(error.file), line, column, sentence };
}

/** Opens the rules of both services. */
export async function openRules(
  files: {
    readonly firestoreRules?: string | undefined;
    readonly storageRules?: string | undefined;
  },
  deps: Pick<RulesFileDeps, 'clock' | 'log'>,
) {
  const firestore = await openRulesFile({
    ...deps,
    file: files.firestoreRules,
    service: 'cloud.firestore',
  });
  try {
    const { storageRules: file } = files;
    const storage = await openRulesFile({ ...deps, file, service: 'firebase.storage' });
    return {
      firestore,
      storage,
      stop() {
        firestore.stop();
        storage.stop();
      },
    };
  } catch (error) {
    firestore.stop();
    throw error;
  }
}
