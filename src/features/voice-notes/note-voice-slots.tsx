import { Suspense } from 'react';
import { lazyPart } from '../../lib/react/lazy-part.tsx';
import type { EntryPlayerProps } from './player/entry-player.lazy.tsx';
import { entryPlayer } from './player/entry-player.ts';

const noteTools = lazyPart(async () => (await import('./note-tools.lazy.tsx')).NoteTools);

function NotePlayer(props: EntryPlayerProps) {
  return (
    <Suspense>
      <entryPlayer.Component {...props} />
    </Suspense>
  );
}

function Tools(props: EntryPlayerProps) {
  return (
    <Suspense>
      <noteTools.Component {...props} />
    </Suspense>
  );
}

/** The components of voice notes on the page of a note. Their code loads only for voice notes. */
export const noteVoice = { Player: NotePlayer, Tools };
