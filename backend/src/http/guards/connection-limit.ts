import * as v from 'valibot';

/**
 * Connections take file descriptors. When strangers have taken all of them the store cannot open its next file, so
 * connections get half of what the process may open.
 */
const MAX_CONNECTIONS = 10_000;

/** @param openFiles what the process may open; undefined where the system does not say. */
export const connectionLimit = (openFiles: number | undefined): number =>
  Math.min(MAX_CONNECTIONS, Math.floor((openFiles ?? Infinity) / 2));

const reportSchema = v.object({
  userLimits: v.object({ open_files: v.object({ soft: v.number() }) }),
});

/** Undefined on Windows, and where there is no limit. */
export function openFileLimit(): number | undefined {
  const report = v.safeParse(reportSchema, process.report.getReport());
  return report.success ? report.output.userLimits.open_files.soft : undefined;
}
