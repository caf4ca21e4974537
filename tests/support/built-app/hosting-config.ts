import { readFile } from 'node:fs/promises';
import { minimatch } from 'minimatch';
import * as v from 'valibot';

const hostingSchema = v.object({
  hosting: v.object({
    headers: v.array(
      v.object({
        source: v.string(),
        headers: v.array(v.object({ key: v.string(), value: v.string() })),
      }),
    ),
    rewrites: v.array(v.object({ source: v.string(), destination: v.optional(v.string()) })),
  }),
});

/**
 * The behaviour of Firebase Hosting for a path, as its documentation describes it: files first, then rewrites, else
 * 404.
 */
export interface HostingConfig {
  headers(path: string): Readonly<Record<string, string>>;
  /** Returns the path of the file that answers, or null for a 404. */
  resolve(path: string, files: ReadonlySet<string>): string | null;
}

export async function readHostingConfig(file: URL | string): Promise<HostingConfig> {
  const { hosting } = v.parse(hostingSchema, JSON.parse(await readFile(file, 'utf8')));
  return {
    headers: (path) =>
      Object.fromEntries(
        hosting.headers
          .filter(({ source }) => minimatch(path, source))
          .flatMap(({ headers }) => headers.map(({ key, value }) => [key.toLowerCase(), value])),
      ),
    resolve(path, files) {
      const asked = path.endsWith('/') ? `${path}index.html` : path;
      if (files.has(asked)) return asked;
      const rewrite = hosting.rewrites.find(({ source }) => minimatch(path, source));
      return rewrite?.destination ?? null;
    },
  };
}
