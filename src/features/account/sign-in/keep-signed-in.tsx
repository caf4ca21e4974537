import { atom, useAtom } from 'jotai';
import { isInstalled } from '../../../platform/install/installed.ts';
import { CheckBox } from '../../../ui/fields/check-box.tsx';

/** The choice of one account page, for the next one. The next person at this device makes their own. */
export const keepSignedInAtom = atom(true);

const kept = 'On this device, until you sign out.';
const brief = 'Until this tab is closed.';
const consequences =
  'You are signed out then, and nothing syncs in the background. What is in the cloud by then leaves this device.';

/** The choice to stay signed in. An installed app does not offer it, as it would ask for a sign-in at each start. */
export function KeepSignedIn() {
  const [isKept, setIsKept] = useAtom(keepSignedInAtom);
  if (isInstalled()) return <p className="text-ink-soft">You stay signed in until you sign out.</p>;
  return (
    <div>
      <CheckBox
        label="Keep me signed in"
        hint={isKept ? kept : brief}
        checked={isKept}
        onChange={(event) => setIsKept(event.target.checked)}
      />
      {!isKept && (
        <details className="pl-9">
          <summary className="min-h-11 cursor-pointer content-center font-semibold text-moss">
            What that means
          </summary>
          <p className="text-ink-soft">{consequences}</p>
        </details>
      )}
    </div>
  );
}
