import { atom, useAtomValue, useStore } from 'jotai';
import { transferAtom, type TransferState } from './transfer-atom.ts';
import { createTransferService, type TransferService } from './transfer-state.ts';

const serviceAtom = atom<TransferService | null>(null);

/** Returns the transfer service, which is the same for the whole life of the page. */
export function useTransfer(): {
  readonly state: TransferState;
  readonly service: TransferService;
} {
  const store = useStore();
  const state = useAtomValue(transferAtom);
  const known = store.get(serviceAtom);
  const service = known ?? createTransferService(store);
  if (known === null) store.set(serviceAtom, service);
  return { state, service };
}
