import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useDocumentTitle } from '../../lib/dom/document-title.ts';
import { textLinkStyle } from '../../ui/button-style.ts';
import { PawMark } from '../../ui/paw-mark.tsx';

export interface AccountPageProps {
  readonly heading: string;
  readonly children: ReactNode;
}

export function AccountPage({ heading, children }: AccountPageProps) {
  useDocumentTitle(heading);
  return (
    // The top depends on the window alone, so that a message below moves no heading. On a desk it centres the longest page.
    <main className="px-4 pt-[max(2.5rem,env(safe-area-inset-top))] pb-[max(2rem,env(safe-area-inset-bottom))] md:pt-[max(2rem,50vh-23rem)]">
      <div className="mx-auto max-w-sm">
        <p className="flex items-center gap-2.5 font-serif text-xl text-moss">
          <PawMark size={26} />
          PawPals
        </p>
        <h1 className="mt-6 mb-6 text-4xl">{heading}</h1>
        {children}
        <Link to="/privacy" className={`${textLinkStyle} mt-6`}>
          Privacy
        </Link>
      </div>
    </main>
  );
}
