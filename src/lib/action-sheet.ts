import { atom } from 'jotai';

/** One choice of a menu of actions. */
export interface SheetAction {
  readonly label: string;
  /** `cancel` does nothing but close; the wrapper's sheet sets it apart. */
  readonly tone?: 'default' | 'danger' | 'cancel';
}

export interface ActionSheetRequest {
  readonly title?: string;
  readonly actions: readonly SheetAction[];
}

/** Shows the system's own sheet. @returns the index of what was chosen; null if nothing was. */
export type ShowActionSheet = (request: ActionSheetRequest) => Promise<number | null>;

/** The system's action sheet, where there is one: in the native wrapper. src/app sets it. */
export const actionSheetAtom = atom<{ readonly show: ShowActionSheet } | null>(null);
