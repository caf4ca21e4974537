import { afterEach, describe, expect, it } from 'vitest';
import { installNativeBridge } from '../../../tests/support/fakes/native-bridge.ts';
import type { ActionSheetRequest } from '../../lib/action-sheet.ts';

const native = installNativeBridge();

afterEach(() => {
  native.reset();
});

async function show(request: ActionSheetRequest, answer: object): Promise<number | null> {
  native.answers.set('ActionSheet.showActions', answer);
  const { showNativeActionSheet } = await import('./action-sheet.ts');
  return showNativeActionSheet(request);
}

const actions = [{ label: 'Edit' }, { label: 'Delete', tone: 'danger' }] as const;

describe('the action sheet of the system', () => {
  it('shows the actions and adds a Cancel where none is given', async () => {
    expect(await show({ title: 'Bramble', actions }, { index: 1, canceled: false })).toBe(1);
    expect(native.calls).toHaveLength(1);
    expect(native.calls[0]).toMatchObject({
      pluginId: 'ActionSheet',
      methodName: 'showActions',
      options: {
        title: 'Bramble',
        options: [
          { title: 'Edit', style: 'DEFAULT' },
          { title: 'Delete', style: 'DESTRUCTIVE' },
          { title: 'Cancel', style: 'CANCEL' },
        ],
      },
    });
  });

  it('adds none where one is given', async () => {
    const own = [...actions, { label: 'Leave it', tone: 'cancel' }] as const;
    expect(await show({ actions: own }, { index: 2, canceled: false })).toBeNull();
    expect(native.calls[0]?.options['options']).toHaveLength(3);
  });

  it.each([
    { index: 2, canceled: false },
    { index: 0, canceled: true },
    { index: -1, canceled: true },
  ])('takes %o for nothing chosen', async (answer) => {
    expect(await show({ actions }, answer)).toBeNull();
  });
});
