import { atom } from 'jotai';

/**
 * Whether the composer looks for the recording of its draft, which it attaches again. Until then no recording is offered
 * as an interrupted one.
 */
export const isReopeningAtom = atom(false);
