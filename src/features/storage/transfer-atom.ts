import { atom } from 'jotai';
import type {
  FinishedExport,
  FinishedImport,
  ImportPreview,
  TransferProgress,
} from '../../data/transfer/transfers.ts';
import type { SaveOutcome } from '../../lib/dom/saved-file.ts';

export type TransferKind = 'export' | 'import';

/** The one export or import of this tab. Its state lives outside the page, which may be left while it runs. */
export type TransferState =
  | { readonly step: 'idle' }
  | {
      readonly step: 'running';
      readonly kind: TransferKind;
      /** The progress; null during preparation. */
      readonly progress: TransferProgress | null;
      /** The written part of the file, from 0 to 1, where the system's share sheet reads it from the disk. */
      readonly writtenPart: number;
    }
  | { readonly step: 'asking'; readonly preview: ImportPreview }
  | {
      readonly step: 'exported';
      readonly result: FinishedExport;
      /** The outcome of saving the file. */
      readonly outcome: SaveOutcome;
    }
  | { readonly step: 'imported'; readonly result: FinishedImport }
  | { readonly step: 'stopped'; readonly kind: TransferKind }
  | { readonly step: 'failed'; readonly kind: TransferKind; readonly sentence: string };

export const transferAtom = atom<TransferState>({ step: 'idle' });
