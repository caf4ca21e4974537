import { writeFileSync } from 'node:fs';

const failuresOf = (file, title, errors) =>
  errors.map(({ message, stack, cause }) => ({
    file,
    title,
    stack,
    message: cause === undefined ? message : `${message} | ${cause.message}`,
  }));

/**
 * Writes the counts and failures of a run to the file that PAWPALS_UNIT_REPORT names. Unlike the JSON reporter of Vitest it
 * has the tests that a worker left when it ended, and the errors outside of tests, as in hooks.
 */
// oxlint-disable-next-line import/no-default-export -- Vitest loads a reporter's default export.
export default class UnitReport {
  onTestRunEnd(modules, errors) {
    const counts = { passed: 0, failed: errors.length, skipped: 0 };
    const failures = failuresOf('unit', 'outside of a test', errors);
    for (const module of modules) {
      const file = module.moduleId;
      for (const part of [module, ...module.children.allSuites()]) {
        const reasons = part.errors();
        if (reasons.length > 0) counts.failed++;
        failures.push(...failuresOf(file, part.fullName ?? 'the file', reasons));
      }
      const hasEnded = module.state() !== 'pending' && module.state() !== 'queued';
      if (!hasEnded) failures.push({ file, title: 'the file', message: 'did not end' });
      for (const test of module.children.allTests()) {
        const { state, errors: reasons = [] } = test.result();
        if (state === 'pending')
          failures.push({ file, title: test.fullName, message: 'did not end' });
        counts[state === 'pending' ? 'failed' : state]++;
        failures.push(...failuresOf(file, test.fullName, reasons));
      }
    }
    writeFileSync(process.env.PAWPALS_UNIT_REPORT, JSON.stringify({ ...counts, failures }));
  }
}
