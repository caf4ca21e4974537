import type { createStore } from 'jotai';
import { actionSheetAtom } from '../../lib/action-sheet.ts';
import { cameraAtom } from '../../platform/media/camera.ts';
import { hapticsAtom } from '../../platform/haptics.ts';
import { showNativeActionSheet } from '../../platform/native/action-sheet.ts';
import { watchApp } from '../../platform/native/app-events.ts';
import { nativeCamera } from '../../platform/native/camera.ts';
import { nativeHaptics } from '../../platform/native/haptics.ts';
import { removeSharedFiles } from '../../platform/native/share-file.ts';
import { consoleWarning } from '../log.ts';
import type { createAppRouter } from '../router.ts';

export interface NativeOptions {
  readonly store: ReturnType<typeof createStore>;
  readonly router: Pick<ReturnType<typeof createAppRouter>, 'history'>;
}

/** Replaces browser features with those of the native wrapper, and follows its links. Only the wrapper loads this. */
export async function startNative({ store, router }: NativeOptions): Promise<void> {
  void removeSharedFiles();
  store.set(hapticsAtom, nativeHaptics);
  store.set(actionSheetAtom, { show: showNativeActionSheet });
  store.set(cameraAtom, nativeCamera);
  await watchApp({
    onLink: (path) => router.history.push(path),
    // The log leaves out the link, which may carry a code.
    onInvalidLink: () => consoleWarning('link-not-understood'),
  });
}
