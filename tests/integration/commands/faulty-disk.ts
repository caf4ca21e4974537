import 'fake-indexeddb/auto';

/** The disk of one device, which can fail between any two write transactions. */
export interface FaultyDisk {
  /** Lets that many write transactions through, and then fails. */
  failAfter(writeTransactions: number): void;
  hasFailed(): boolean;
  repair(): void;
}

interface DiskState {
  writesLeft: number;
}

const disks = new Map<string, DiskState>();

function diskOf(databaseName: string): DiskState | undefined {
  return [...disks].find(([deviceName]) => databaseName.includes(deviceName))?.[1];
}

function interceptTransactions(): void {
  const { prototype } = IDBDatabase;
  // The proxy passes `this` on.
  // oxlint-disable-next-line typescript/unbound-method
  prototype.transaction = new Proxy(prototype.transaction, {
    apply: (open, database: IDBDatabase, args: Parameters<IDBDatabase['transaction']>) => {
      const disk = diskOf(database.name);
      if (disk !== undefined) {
        if (args[1] === 'readwrite') disk.writesLeft -= 1;
        if (disk.writesLeft < 0) throw new DOMException('The disk has failed', 'UnknownError');
      }
      return Reflect.apply(open, database, args);
    },
  });
}

interceptTransactions();

/**
 * Creates the disk of a device.
 *
 * - It covers every IndexedDB database whose name contains the device's name, whichever code opens it.
 * - After the failure every transaction fails, reads too, so code that still runs cannot change the data that the next
 *   start finds.
 *
 * @param deviceName lower-case letters and digits, so that the names of its databases contain it unchanged.
 */
export function createFaultyDisk(deviceName: string): FaultyDisk {
  const state: DiskState = { writesLeft: Infinity };
  disks.set(deviceName, state);
  return {
    failAfter: (writeTransactions) => {
      state.writesLeft = writeTransactions;
    },
    hasFailed: () => state.writesLeft < 0,
    repair: () => {
      state.writesLeft = Infinity;
    },
  };
}
