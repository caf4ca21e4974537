import { ActionSheet, ActionSheetButtonStyle } from '@capacitor/action-sheet';
import type { ShowActionSheet } from '../../lib/action-sheet.ts';

const styles = {
  default: ActionSheetButtonStyle.Default,
  danger: ActionSheetButtonStyle.Destructive,
  cancel: ActionSheetButtonStyle.Cancel,
};

/** Shows the system's action sheet, with a Cancel option if the actions have none. */
export const showNativeActionSheet: ShowActionSheet = async ({ title, actions }) => {
  const hasCancel = actions.some(({ tone }) => tone === 'cancel');
  const shown = hasCancel ? actions : [...actions, { label: 'Cancel', tone: 'cancel' } as const];
  const { index, canceled } = await ActionSheet.showActions({
    ...(title !== undefined && { title }),
    cancelable: true,
    options: shown.map(({ label, tone = 'default' }) => ({ title: label, style: styles[tone] })),
  });
  const isChosen = !canceled && shown[index] !== undefined && shown[index].tone !== 'cancel';
  return isChosen ? index : null;
};
