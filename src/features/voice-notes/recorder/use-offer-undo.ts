import { useStore } from 'jotai';
import { useData } from '../../../data/data-context.ts';
import { voiceSentences } from '../../../data/files/voice-copy.ts';
import { toastsAtom, useToasts } from '../../../platform/toasts.ts';
import { showUndo } from '../../../platform/undo-toast.tsx';
import { keepOrOffer } from './keep-or-offer.ts';
import { useOwnersToasts } from './use-owners-toasts.ts';
import type { VoiceRecorderDeps } from './voice-recorder.ts';

/**
 * Offers to keep a cancelled recording as a voice note, in a toast that stays over navigations. The recording is
 * discarded with the toast. If the page goes before, or if it cannot be kept, the journal offers it again.
 */
export function useOfferUndo(): VoiceRecorderDeps['onCancelled'] {
  const { newestFiles } = useData();
  const store = useStore();
  const toasts = useToasts();
  const showToast = useOwnersToasts();

  const loadVoice = async () => (await newestFiles()).voice;
  const keep = async (id: string): Promise<void> => {
    const problem = await keepOrOffer(loadVoice, id);
    if (problem === null) showToast({ message: voiceSentences.keptForLater });
    else showToast({ message: problem, variant: 'error' });
  };

  return ({ id }) => {
    let isKept = false;
    const takeBack = (): void => {
      isKept = true;
      void keep(id);
    };
    const toastId = showUndo(toasts, { message: voiceSentences.discarded, onUndo: takeBack });
    const unsubscribe = store.sub(toastsAtom, () => {
      if (store.get(toastsAtom).some((toast) => toast.id === toastId)) return;
      unsubscribe();
      // The action of a toast runs just after the toast has gone.
      queueMicrotask(() => {
        if (!isKept)
          loadVoice()
            .then((voice) => voice.discard(id))
            .catch(() => undefined);
      });
    });
  };
}
