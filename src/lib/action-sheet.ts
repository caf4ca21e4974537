import { atom } from 'jotai';

/** One choice of an action sheet. */
export interface SheetAction {
  readonly label: string;
  /** `cancel` only closes the sheet; the wrapper's sheet separates it from the others. */
  readonly tone?: 'default' | 'danger' | 'cancel';
}

export interface ActionSheetRequest {
  readonly title?: string;
  readonly actions: readonly SheetAction[];
}

/** Shows the system's action sheet. @returns the index of the chosen action; null if none was chosen. */
export type ShowActionSheet = (request: ActionSheetRequest) => Promise<number | null>;

/** The system's action sheet, which src/app sets in the native wrapper; null in a browser. */
export const actionSheetAtom = atom<{ readonly show: ShowActionSheet } | null>(null);
