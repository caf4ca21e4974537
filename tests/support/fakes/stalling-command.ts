import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a command that begins and never ends, in place of one that uses much processor time. */
export async function createStallingCommand() {
  const folder = await mkdtemp(join(tmpdir(), 'pawpals-stalling-'));
  const command = join(folder, 'stall');
  const mark = join(folder, 'begun');
  await writeFile(command, `#!/bin/sh\necho $$ > '${mark}'\nexec sleep 600\n`);
  await chmod(command, 0o700);
  return {
    command,
    hasBegun: () => existsSync(mark),
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
}
