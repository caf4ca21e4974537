import { Link, useCanGoBack, useRouter } from '@tanstack/react-router';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import { useDocumentTitle } from '../../lib/dom/document-title.ts';
import { supportMailbox } from '../../platform/support-mailbox.ts';
import { textLinkStyle } from '../../ui/button-style.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { PawMark } from '../../ui/paw-mark.tsx';
import { privacySections } from './privacy-copy.ts';

export function PrivacyPage() {
  useDocumentTitle('Privacy policy');
  const { history } = useRouter();
  const canGoBack = useCanGoBack();
  return (
    <main className="min-h-dvh px-4 pt-[max(2rem,env(safe-area-inset-top))] pb-[max(2rem,env(safe-area-inset-bottom))]">
      <article className="mx-auto w-full max-w-journal">
        <div className="flex flex-wrap items-center">
          {canGoBack && (
            <IconButton
              label="Back"
              icon={ArrowLeft}
              className="mr-2 -ml-2"
              onClick={() => history.back()}
            />
          )}
          <Link
            to="/"
            className="inline-flex min-h-11 items-center gap-2.5 font-serif text-xl text-moss"
          >
            <PawMark size={26} />
            PawPals
          </Link>
        </div>
        <h1 className="mt-6 text-4xl">Privacy policy</h1>
        <p className="mt-2 text-ink-soft">
          Last updated <time dateTime="2025-08-04">04/08/2025</time>
        </p>
        {privacySections.map(({ heading, paragraphs }) => (
          <section key={heading} className="mt-8">
            <h2 className="text-2xl">{heading}</h2>
            {paragraphs.map((paragraph) => (
              <p key={paragraph} className="mt-3">
                {paragraph}
              </p>
            ))}
          </section>
        ))}
        <section className="mt-8">
          <h2 className="text-2xl">Questions</h2>
          <p className="mt-3">
            Write to{' '}
            <a href={`mailto:${supportMailbox}`} className={`${textLinkStyle} wrap-anywhere`}>
              {supportMailbox}
            </a>
            .
          </p>
        </section>
      </article>
    </main>
  );
}
