import { atom } from 'jotai';
import type { Toast } from '../lib/toasts.ts';

/** The toasts that are shown now, oldest first. */
export const toastsAtom = atom<readonly Toast[]>([]);
