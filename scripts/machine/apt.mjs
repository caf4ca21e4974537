import { spawnSync } from 'node:child_process';
import { run } from './install.mjs';

function canUseApt() {
  const isRoot = process.getuid?.() === 0;
  return isRoot && spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status === 0;
}

/** Installs Debian packages if that needs no prompt; elsewhere it does nothing. */
export function installByApt(packages, purpose) {
  if (!canUseApt()) return;
  console.log(`Installing ${packages.join(', ')} for ${purpose}…`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  // Another installation may be running.
  const wait = ['-o', 'DPkg::Lock::Timeout=300'];
  run('apt-get', [...wait, 'update', '-qq'], env);
  run('apt-get', [...wait, 'install', '-y', '-qq', '--no-install-recommends', ...packages], env);
}
