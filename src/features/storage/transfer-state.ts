import type { createStore } from 'jotai';
import { commandErrorCopy } from '../../data/commands/commands.ts';
import type { Data } from '../../data/data-context.ts';
import { exportedText, zipFile } from '../../data/transfer/save-export.ts';
import type {
  ExportScope,
  FinishedExport,
  FinishedImport,
  OpenImport,
  TransferOptions,
  TransferProgress,
} from '../../data/transfer/transfers.ts';
import type { SaveOutcome } from '../../lib/dom/saved-file.ts';
import type { ToastRequest } from '../../platform/toasts.ts';
import { saveFile } from '../../platform/save-file.ts';
import { watchOwnerChange } from '../../platform/auth/session.ts';
import { toastsOf } from '../../platform/toasts.ts';
import { transferAtom, type TransferKind, type TransferState } from './transfer-atom.ts';
import { importedText, saveLabel, stoppedText } from './transfer-copy.ts';

type Store = ReturnType<typeof createStore>;
/** The minimum interval between two updates of the progress, because a journal may have thousands of notes. */
const progressEveryMs = 100;
const stoppedToastMs = 4_000;
const toastId = 'transfer';

interface RunOptions extends TransferOptions {
  readonly onWritten: (part: number) => void;
}

function handOver(result: FinishedExport, options: RunOptions): Promise<SaveOutcome> {
  const { signal, onWritten } = options;
  return saveFile(zipFile(result), { signal, onProgress: onWritten });
}

/** The commands for the one transfer. A command that does not fit the current state does nothing. */
export interface TransferService {
  readonly startExport: (data: Data, scope: ExportScope) => void;
  /** Reads a chosen file, and asks whether to import it. */
  readonly chooseFile: (data: Data, file: Blob) => void;
  /** Imports the file that was asked about. It is read again if the session has been opened anew since. */
  readonly startImport: (data: Data) => void;
  /** Stops the running transfer. Entries that were imported so far stay. */
  readonly cancel: () => void;
  /** Saves the finished export again. */
  readonly saveAgain: () => void;
  /** Clears the result of the last transfer. */
  readonly dismiss: () => void;
  /**
   * Marks the page as shown: while it is, the page shows results, and otherwise a toast does. @returns a function that
   * stops it.
   */
  readonly watch: () => () => void;
}

export function createTransferService(store: Store): TransferService {
  let stopping: AbortController | null = null;
  let opened: { readonly data: Data; readonly file: Blob; readonly found: OpenImport } | null =
    null;
  let watchers = 0;
  const set = (state: TransferState): void => store.set(transferAtom, state);
  const toasts = toastsOf(store);
  /** Shows a toast, which replaces the one before. */
  const tell = (toast: Omit<ToastRequest, 'id'>): void => {
    if (watchers === 0) toasts.show({ durationMs: 0, ...toast, id: toastId });
  };

  const optionsOf = (kind: TransferKind, { signal }: AbortController): RunOptions => {
    let toldAtMs = Number.NEGATIVE_INFINITY;
    const show = (progress: TransferProgress | null, writtenPart: number): void => {
      const nowMs = performance.now();
      if (signal.aborted || nowMs - toldAtMs < progressEveryMs) return;
      toldAtMs = nowMs;
      set({ step: 'running', kind, progress, writtenPart });
    };
    return {
      signal,
      onProgress: (progress) => show(progress, 0),
      onWritten: (part) => show(null, part),
    };
  };

  const run = (kind: TransferKind, work: (options: RunOptions) => Promise<void>): void => {
    if (stopping !== null) return;
    const own = new AbortController();
    stopping = own;
    const attempt = async (): Promise<void> => {
      try {
        await work(optionsOf(kind, own));
      } catch (error) {
        if (own.signal.aborted) return;
        const sentence = commandErrorCopy(error);
        set({ step: 'failed', kind, sentence });
        tell({ message: sentence, variant: 'error' });
      } finally {
        if (stopping === own) stopping = null;
      }
    };
    void attempt();
  };

  const stop = (): void => {
    stopping?.abort();
    stopping = null;
    opened = null;
  };

  const start = (kind: TransferKind, work: (options: RunOptions) => Promise<void>): void => {
    run(kind, (options) => {
      set({ step: 'running', kind, progress: null, writtenPart: 0 });
      return work(options);
    });
  };

  const save = (): void => {
    const state = store.get(transferAtom);
    if (state.step !== 'exported') return;
    run('export', async (options) => {
      const outcome = await handOver(state.result, options);
      // The owner may have signed out since.
      if (!options.signal.aborted) set({ ...state, outcome });
    });
  };

  const tellExported = (result: FinishedExport, outcome: SaveOutcome): void => {
    set({ step: 'exported', result, outcome });
    const isWhole = result.missingFiles === 0 && !result.isPartial && outcome !== 'failed';
    tell({
      message: exportedText(result, outcome),
      variant: isWhole ? 'success' : 'warning',
      action: { label: saveLabel(outcome), onSelect: save },
    });
  };

  const tellImported = (result: FinishedImport): void => {
    set({ step: 'imported', result });
    const variant = result.unreadableFiles === 0 ? 'success' : 'warning';
    tell({ message: importedText(result), variant });
  };

  watchOwnerChange(store, () => {
    // The transfer belongs to an owner who is no longer signed in.
    stop();
    set({ step: 'idle' });
  });

  return {
    startExport: (data, scope) =>
      start('export', async (options) => {
        const result = await (await data.transfers()).exportZip(scope, options);
        if (options.signal.aborted) return;
        const outcome = await handOver(result, options);
        if (!options.signal.aborted) tellExported(result, outcome);
      }),
    chooseFile: (data, file) =>
      start('import', async ({ signal }) => {
        const found = await (await data.transfers()).openImport(file);
        if (signal.aborted) return;
        opened = { data, file, found };
        set({ step: 'asking', preview: found.preview });
        tell({ message: 'The file is ready to import. Open Settings to go on.' });
      }),
    startImport: (data) => {
      const accepted = opened;
      opened = null;
      if (accepted === null) return;
      start('import', async (options) => {
        const isOpen = accepted.data === data;
        const found = isOpen
          ? accepted.found
          : await (await data.transfers()).openImport(accepted.file);
        if (options.signal.aborted) return;
        const result = await found.run(options);
        if (!options.signal.aborted) tellImported(result);
      });
    },
    cancel: () => {
      const state = store.get(transferAtom);
      stop();
      if (state.step !== 'running') set({ step: 'idle' });
      else {
        set({ step: 'stopped', kind: state.kind });
        tell({ message: stoppedText(state.kind), durationMs: stoppedToastMs });
      }
    },
    saveAgain: save,
    dismiss: () => {
      if (stopping === null) set({ step: 'idle' });
    },
    watch: () => {
      watchers += 1;
      toasts.dismiss(toastId);
      return () => {
        watchers -= 1;
      };
    },
  };
}
