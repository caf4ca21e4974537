import { Haptics as HapticsPlugin, NotificationType } from '@capacitor/haptics';
import type { Haptics } from '../haptics.ts';

const types = {
  success: NotificationType.Success,
  warning: NotificationType.Warning,
  error: NotificationType.Error,
};

export const nativeHaptics: Haptics = {
  notify: (kind) => {
    HapticsPlugin.notification({ type: types[kind] }).catch(() => undefined);
  },
};
