import { Suspense } from 'react';
import { lazyPart } from '../../lib/react/lazy-part.tsx';
import type { EntryPlayerProps } from './player/entry-player.tsx';

const entryPlayer = lazyPart(async () => (await import('./player/entry-player.tsx')).EntryPlayer);
const noteTools = lazyPart(async () => (await import('./note-tools.tsx')).NoteTools);

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

/** What the page of a note shows of a voice note; most notes are none. */
export const noteVoice = { Player: NotePlayer, Tools };
