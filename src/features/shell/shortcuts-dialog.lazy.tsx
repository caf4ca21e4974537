import { useState } from 'react';
import { enterStartsLine, shortcutsAreOff } from '../../platform/storage/device-choice.ts';
import { Button } from '../../ui/button.tsx';
import { CheckBox } from '../../ui/fields/check-box.tsx';
import { Modal } from '../../ui/modal.tsx';

/** The keys of `src/app/key-shortcuts.ts`, and those that parts of the page handle. */
const shortcuts = [
  { keys: ['/'], effect: 'Search' },
  { keys: ['n'], effect: 'Write a note' },
  { keys: ['?'], effect: 'Show this list' },
  { keys: ['Esc'], effect: 'Close what is open' },
  { keys: ['F8'], effect: 'Go to the notifications' },
] as const;

/** The keys of the composer, which depend on a setting. */
function composerShortcuts() {
  const startsLine = enterStartsLine.isMade();
  return [
    { keys: [...(startsLine ? ['Ctrl'] : []), 'Enter'], effect: 'Send the note' },
    { keys: [...(startsLine ? [] : ['Shift']), 'Enter'], effect: 'Begin a new line in a note' },
  ];
}

export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const [isOn, setIsOn] = useState(() => !shortcutsAreOff.isMade());
  const change = (isChosen: boolean): void => {
    shortcutsAreOff.make(!isChosen);
    setIsOn(isChosen);
  };
  return (
    <Modal title="Keyboard shortcuts" placement="centre" onClose={onClose}>
      <dl className="mt-4 mb-5 flex flex-col gap-2">
        {[...shortcuts, ...composerShortcuts()].map(({ keys, effect }) => (
          <div key={effect} className="flex items-center justify-between gap-4">
            <dt>{effect}</dt>
            <dd className="flex flex-none gap-1">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="min-w-8 rounded-lg bg-card-strong px-2 py-0.5 text-center font-sans font-semibold"
                >
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <CheckBox
        label="Use single keys"
        hint="Switch them off if you speak to your device, or press keys by accident."
        checked={isOn}
        onChange={(event) => change(event.target.checked)}
      />
      <div className="mt-6 flex justify-end">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Modal>
  );
}
