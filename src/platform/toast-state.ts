import { atom } from 'jotai';
import type { Toast } from '../lib/toasts.ts';

/** What is shown now, oldest first. */
export const toastsAtom = atom<readonly Toast[]>([]);
