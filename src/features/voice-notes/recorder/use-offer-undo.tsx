import { useStore } from 'jotai';
import { commandErrorCopy } from '../../../data/commands/commands.ts';
import { useData } from '../../../data/data-context.ts';
import { voiceSentences } from '../../../data/files/voice-copy.ts';
import { toastsAtom, useToasts } from '../../../platform/toasts.ts';
import type { VoiceRecorderDeps } from './voice-recorder.ts';

const undoForMs = 10_000;

/**
 * Offers to keep a cancelled recording as a voice note, in a toast that stays over navigations. The recording is
 * discarded with the toast. If the page goes before, or if it cannot be kept, the journal offers it again.
 */
export function useOfferUndo(): VoiceRecorderDeps['onCancelled'] {
  const { files } = useData();
  const store = useStore();
  const toasts = useToasts();

  const keep = async (id: string): Promise<void> => {
    try {
      await (await files.load()).voice.keep(id);
      toasts.show({ message: voiceSentences.keptForLater });
    } catch (error) {
      files.getSnapshot()?.voice.letGo(id);
      toasts.show({ message: commandErrorCopy(error), variant: 'error' });
    }
  };
  const discard = async (id: string): Promise<void> => (await files.load()).voice.discard(id);

  return ({ id }) => {
    let isKept = false;
    const takeBack = (): void => {
      isKept = true;
      void keep(id);
    };
    // The message is not a string, because a repeated string would be ignored, and its Undo lost.
    const toastId = toasts.show({
      message: <>Recording discarded</>,
      durationMs: undoForMs,
      action: { label: 'Undo', onSelect: takeBack },
    });
    const unsubscribe = store.sub(toastsAtom, () => {
      if (store.get(toastsAtom).some((toast) => toast.id === toastId)) return;
      unsubscribe();
      // The action of a toast runs just after the toast has gone.
      queueMicrotask(() => {
        if (!isKept) discard(id).catch(() => undefined);
      });
    });
  };
}
