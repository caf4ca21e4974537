/** Packages for other platforms are in the lock file, and are not installed. */
const mayBeMissing = ({ optional = false, devOptional = false }) => optional || devOptional;

/**
 * Whether the packages of the lock file are installed; others may be as well, such as an optional speech engine. The times
 * of the files do not tell: a change of branches touches the lock file, and offline nothing can be installed.
 * @param {object} lock the contents of package-lock.json.
 * @param {object} installed the contents of npm's list of what it has installed, `node_modules/.package-lock.json`.
 */
export function isInstalled(lock, installed) {
  return Object.entries(lock.packages).every(([place, locked]) => {
    // The other places are those of the workspaces.
    if (!place.includes('node_modules/')) return true;
    const found = installed.packages[place];
    return found === undefined ? mayBeMissing(locked) : found.version === locked.version;
  });
}
