import { atom, type createStore } from 'jotai';
import { commandSentence } from '../../data/commands/commands.ts';
import type { Data } from '../../data/data-context.ts';
import type {
  ExportScope,
  FinishedExport,
  FinishedImport,
  ImportPreview,
  OpenImport,
  TransferOptions,
  TransferProgress,
} from '../../data/transfer/transfers.ts';
import type { SaveOutcome } from '../../lib/dom/saved-file.ts';
import type { ToastRequest } from '../../lib/toasts.ts';
import { saveFile } from '../../platform/save-file.ts';
import { authStateAtom } from '../../platform/auth/session.ts';
import { toastsOf } from '../../platform/toasts.ts';
import { exportedText, importedText, saveLabel, stoppedText } from './transfer-copy.ts';

type Store = ReturnType<typeof createStore>;
export type TransferKind = 'export' | 'import';

/** The one export or import of this tab. It lies apart from the page, which may be left while it runs. */
export type TransferState =
  | { readonly step: 'idle' }
  | {
      readonly step: 'running';
      readonly kind: TransferKind;
      /** null: it is being prepared. */
      readonly progress: TransferProgress | null;
      /** How much of the file is written, from 0 to 1: where the system's share sheet takes it from the disk. */
      readonly writtenPart: number;
    }
  | { readonly step: 'asking'; readonly preview: ImportPreview }
  | {
      readonly step: 'exported';
      readonly result: FinishedExport;
      /** The fate of its file. */
      readonly outcome: SaveOutcome;
    }
  | { readonly step: 'imported'; readonly result: FinishedImport }
  | { readonly step: 'stopped'; readonly kind: TransferKind }
  | { readonly step: 'failed'; readonly kind: TransferKind; readonly sentence: string };

export const transferAtom = atom<TransferState>({ step: 'idle' });

/** Progress is told this often at most: a journal has thousands of notes, and none needs a picture of its own. */
const progressEveryMs = 100;
const stoppedToastMs = 4_000;
const toastId = 'transfer';

interface RunOptions extends TransferOptions {
  readonly onWritten: (part: number) => void;
}

function handOver(
  { fileName, zip }: FinishedExport,
  { signal, onWritten }: RunOptions,
): Promise<SaveOutcome> {
  const file = new File([zip], fileName, { type: zip.type });
  return saveFile(file, { signal, onProgress: onWritten });
}

/** Commands for the one transfer. Each does nothing where it makes no sense. */
export interface TransferService {
  readonly startExport: (data: Data, scope: ExportScope) => void;
  /** Looks into a chosen file, and asks. */
  readonly chooseFile: (data: Data, file: Blob) => void;
  /** The answer to what was asked. */
  readonly startImport: () => void;
  /** Stops what runs; what was imported so far stays. */
  readonly cancel: () => void;
  /** Hands the finished export over once more. */
  readonly saveAgain: () => void;
  /** What has come of the last one was read. */
  readonly dismiss: () => void;
  /** While it is watched its page says what comes of it; otherwise a toast does. @returns a function that stops. */
  readonly watch: () => () => void;
}

export function createTransferService(store: Store): TransferService {
  let stopping: AbortController | null = null;
  let opened: OpenImport | null = null;
  let watchers = 0;
  const set = (state: TransferState): void => store.set(transferAtom, state);
  const toasts = toastsOf(store);
  /** The newest takes the place of the one before. */
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
        const sentence = commandSentence(error);
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
      // Its owner may have signed out meanwhile.
      if (!options.signal.aborted) set({ ...state, outcome });
    });
  };

  const tellExported = (result: FinishedExport, outcome: SaveOutcome): void => {
    set({ step: 'exported', result, outcome });
    const isWhole = result.missingFiles === 0 && outcome !== 'failed';
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

  let uid = store.get(authStateAtom).user?.uid;
  store.sub(authStateAtom, () => {
    const next = store.get(authStateAtom).user?.uid;
    if (next === uid) return;
    uid = next;
    // What is left of it belongs to somebody who is not here any more.
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
        opened = found;
        set({ step: 'asking', preview: found.preview });
      }),
    startImport: () => {
      const accepted = opened;
      opened = null;
      if (accepted === null) return;
      start('import', async (options) => {
        const result = await accepted.run(options);
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
