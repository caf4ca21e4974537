interface LockFile {
  readonly packages: Readonly<Record<string, object>>;
}

export function isInstalled(lock: LockFile, installed: LockFile): boolean;
