import { atom, type createStore } from 'jotai';
import { commandSentence } from '../../data/commands.ts';
import type { Data } from '../../data/data-context.ts';
import type {
  ExportScope,
  FinishedExport,
  FinishedImport,
  ImportPreview,
  OpenImport,
  TransferOptions,
  TransferProgress,
} from '../../data/transfers.ts';
import type { ToastRequest } from '../../lib/toasts.ts';
import { saveFile, type SaveOutcome } from '../../platform/save-file.ts';
import { authStateAtom } from '../../platform/session.ts';
import { toastsOf } from '../../platform/toasts.ts';
import { exportedText, importedText, saveLabel, stoppedText } from './transfer-words.ts';

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

  const optionsOf = (kind: TransferKind, { signal }: AbortController): TransferOptions => {
    let toldAtMs = Number.NEGATIVE_INFINITY;
    return {
      signal,
      onProgress: (progress) => {
        const nowMs = performance.now();
        if (signal.aborted || nowMs - toldAtMs < progressEveryMs) return;
        toldAtMs = nowMs;
        set({ step: 'running', kind, progress });
      },
    };
  };

  const run = (kind: TransferKind, work: (options: TransferOptions) => Promise<void>): void => {
    if (stopping !== null) return;
    const own = new AbortController();
    stopping = own;
    set({ step: 'running', kind, progress: null });
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

  const save = async (): Promise<void> => {
    const state = store.get(transferAtom);
    if (state.step !== 'exported') return;
    const outcome = await saveFile(state.result.fileName, state.result.zip);
    // It may have been closed, or its owner signed out, over the system's sheet.
    if (store.get(transferAtom) === state) set({ ...state, outcome });
  };

  const tellExported = (result: FinishedExport, outcome: SaveOutcome): void => {
    set({ step: 'exported', result, outcome });
    const isWhole = result.missingFiles === 0 && outcome !== 'impossible';
    tell({
      message: exportedText(result, outcome),
      variant: isWhole ? 'success' : 'warning',
      ...(outcome !== 'impossible' && {
        action: { label: saveLabel(outcome), onSelect: () => void save() },
      }),
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
      run('export', async (options) => {
        const result = await (await data.transfers()).exportZip(scope, options);
        if (options.signal.aborted) return;
        const outcome = await saveFile(result.fileName, result.zip);
        if (!options.signal.aborted) tellExported(result, outcome);
      }),
    chooseFile: (data, file) =>
      run('import', async ({ signal }) => {
        const found = await (await data.transfers()).openImport(file);
        if (signal.aborted) return;
        opened = found;
        set({ step: 'asking', preview: found.preview });
      }),
    startImport: () => {
      const accepted = opened;
      opened = null;
      if (accepted === null) return;
      run('import', async (options) => {
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
    saveAgain: () => void save(),
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
