import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { expect, it, onTestFinished, vi } from 'vitest';
import { tempFolder } from '../../tests/support/temp-folder.ts';
import { createLockFile } from './mapped-files.ts';

it('a lock file of another user is refused, before it ends the process', async () => {
  const folder = await tempFolder();
  createLockFile(folder, 1);
  createLockFile(folder, 1);
  // The user that runs the tests may be root, who may write to every file.
  const access = vi.spyOn(fs, 'accessSync').mockImplementation((path) => {
    throw new Error(`permission denied, ${String(path)}`);
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    access.mockRestore();
    syncBuiltinESMExports();
  });
  expect(() => createLockFile(folder, 1)).toThrow(`permission denied, ${folder}/lock.mdb`);
});
