import { Link } from '@tanstack/react-router';
import { useAtomValue } from 'jotai';
import ChevronRight from 'lucide-react/icons/chevron-right';
import LogOut from 'lucide-react/icons/log-out';
import ShieldCheck from 'lucide-react/icons/shield-check';
import Trash2 from 'lucide-react/icons/trash-2';
import type { ReactNode } from 'react';
import { authStateAtom } from '../../platform/auth/session.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { InstallEntry } from './menu/install-entry.tsx';
import { SignOutDialog } from './sign-out/sign-out-dialog.tsx';
import { signOutFailed, useSignOut } from './sign-out/use-sign-out.ts';
import { userName } from './user-name.ts';

const rowStyle =
  'flex min-h-14 w-full items-center gap-4 rounded-card bg-card px-4 py-3 text-left text-lg hover:bg-card-strong';

/** The settings. @param children the settings of other features. */
export function SettingsPage({ children }: { readonly children: ReactNode }) {
  const { user } = useAtomValue(authStateAtom);
  const signOut = useSignOut();
  const name = userName(user);
  const email = user?.email ?? null;
  return (
    <div className="flex-1 overflow-y-auto">
      <div className="page-column flex flex-col gap-3 py-4">
        <h2 className="text-2xl">Account Settings</h2>
        <div className="mb-2 wrap-anywhere">
          <p dir="auto" className="font-semibold">
            {name}
          </p>
          {email !== null && email !== name && <p className="text-ink-soft">{email}</p>}
        </div>
        {signOut.step === 'failed' && <ProblemNote>{signOutFailed}</ProblemNote>}
        <button
          type="button"
          aria-disabled={signOut.step === 'leaving'}
          className={rowStyle}
          onClick={() => void signOut.start()}
        >
          <LogOut aria-hidden size={22} className="text-moss" />
          Sign Out
        </button>
        <Link to="/privacy" className={rowStyle}>
          <ShieldCheck aria-hidden size={22} className="text-moss" />
          <span className="flex-1">Privacy policy</span>
          <ChevronRight aria-hidden size={20} className="text-ink-soft" />
        </Link>
        <InstallEntry className={rowStyle} isOpenedByAddress />
        {children}
        <Link to="/account/delete" className={`${rowStyle} mt-6 text-danger`}>
          <Trash2 aria-hidden size={22} />
          <span className="flex-1">Delete Account</span>
          <ChevronRight aria-hidden size={20} />
        </Link>
      </div>
      {signOut.step === 'asking' && <SignOutDialog signOut={signOut} onLeave={signOut.cancel} />}
    </div>
  );
}
