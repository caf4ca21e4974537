import { Link } from '@tanstack/react-router';
import { useAtomValue } from 'jotai';
import LifeBuoy from 'lucide-react/icons/life-buoy';
import LogOut from 'lucide-react/icons/log-out';
import Settings from 'lucide-react/icons/settings';
import X from 'lucide-react/icons/x';
import { authStateAtom } from '../../../platform/auth/session.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { PawMark } from '../../../ui/paw-mark.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { InstallEntry } from './install-entry.tsx';
import { SignOutDialog } from '../sign-out/sign-out-dialog.tsx';
import { signOutFailed, useSignOut } from '../sign-out/use-sign-out.ts';
import { userName } from '../user-name.ts';

const itemStyle =
  'flex min-h-12 w-full items-center gap-4 rounded-card px-3 text-left text-lg hover:bg-card-strong';

export function SideMenu({ onClose }: { readonly onClose: () => void }) {
  const { user } = useAtomValue(authStateAtom);
  const signOut = useSignOut();
  return (
    <Modal title="PawPals" placement="side" onClose={onClose}>
      {/* It stands beside the title. */}
      <IconButton label="Close" icon={X} className="float-right -mt-9 -mr-2" onClick={onClose} />
      <nav aria-label="Main" className="mt-6 flex flex-col gap-1">
        <Link to="/pets" className={itemStyle} onClick={onClose}>
          <PawMark size={22} className="text-moss" />
          My Pets
        </Link>
        <Link to="/settings" className={itemStyle} onClick={onClose}>
          <Settings aria-hidden size={22} className="text-moss" />
          Settings
        </Link>
        <Link to="/help" className={itemStyle} onClick={onClose}>
          <LifeBuoy aria-hidden size={22} className="text-moss" />
          Help & Support
        </Link>
        <button type="button" className={itemStyle} onClick={() => void signOut.start()}>
          <LogOut aria-hidden size={22} className="text-moss" />
          Sign Out
        </button>
      </nav>
      {signOut.step === 'failed' && <ProblemNote>{signOutFailed}</ProblemNote>}
      <div className="mt-8 rounded-card bg-card px-4 py-3">
        <p dir="auto" className="font-semibold wrap-anywhere">
          {userName(user)}
        </p>
        <p className="text-ink-soft">Free Plan</p>
      </div>
      <InstallEntry className={`${itemStyle} mt-4`} />
      {signOut.step === 'asking' && <SignOutDialog signOut={signOut} onLeave={onClose} />}
    </Modal>
  );
}
