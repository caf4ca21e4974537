import { useState } from 'react';
import { enterStartsLine } from '../../../platform/storage/device-choice.ts';
import { CheckBox } from '../../../ui/fields/check-box.tsx';

/** The setting of the Enter key on this device. */
export function EnterSetting() {
  const [startsLine, setStartsLine] = useState(enterStartsLine.isMade);
  return (
    <section aria-labelledby="writing" className="mt-6 flex flex-col gap-3">
      <h2 id="writing" className="text-2xl">
        Writing
      </h2>
      <div className="rounded-card bg-card px-4 py-2">
        <CheckBox
          label="Enter starts a new line"
          hint={
            startsLine
              ? 'The button sends, and so does Enter with Ctrl or Cmd.'
              : 'Enter sends the note.'
          }
          checked={startsLine}
          onChange={({ target: { checked } }) => {
            enterStartsLine.make(checked);
            setStartsLine(checked);
          }}
        />
      </div>
    </section>
  );
}
