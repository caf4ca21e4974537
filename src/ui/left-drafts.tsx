import { useState } from 'react';
import { eraseDrafts, readDrafts, type DraftPlace } from '../lib/draft.ts';
import { useAsking } from '../lib/react/use-asking.ts';
import { Button } from './button.tsx';

/** Drafts of a dog or note that was deleted on another device. No other page shows them. */
export function LeftDrafts({ owner, name }: DraftPlace) {
  const [texts, setTexts] = useState(() => [...new Set(readDrafts(owner, name))]);
  const { isAsking, handlers } = useAsking(() => {
    eraseDrafts(owner, name);
    setTexts([]);
  });
  if (texts.length === 0) return null;
  return (
    <section aria-label="Your draft" className="flex w-full max-w-sm flex-col gap-3">
      <p className="text-ink-soft">This was not saved. Copy it if you want to keep it:</p>
      {texts.map((text) => (
        <p
          key={text}
          dir="auto"
          className="rounded-card bg-card px-4 py-3 text-start whitespace-pre-wrap wrap-anywhere"
        >
          {text}
        </p>
      ))}
      <Button className="self-center" kind={isAsking ? 'danger' : 'quiet'} {...handlers}>
        {isAsking ? 'Really discard' : 'Discard'}
      </Button>
    </section>
  );
}
