import { useData } from '../../data/data-context.ts';
import type { KeptLoser, SyncOverview } from '../../data/queries.ts';
import { entryTimeText } from '../../lib/entry-time-text.ts';
import { useNow } from '../../lib/now.ts';
import { Button } from '../../ui/button.tsx';
import { fieldsPreview } from './item-words.ts';
import { SheetItem, SheetSection } from './sheet-section.tsx';
import type { Action } from './use-action.ts';

export interface LoserSectionProps {
  readonly overview: SyncOverview;
  readonly action: Action;
}

function originOf({ side, reason }: KeptLoser): string {
  const where = side === 'local' ? 'Written on this device' : 'Written on another device';
  return reason === 'deleted'
    ? `${where}, but deleted meanwhile`
    : `${where}, but changed meanwhile`;
}

export function LoserSection({ overview, action }: LoserSectionProps) {
  const { commands } = useData();
  const nowMs = useNow();
  if (overview.losers.length === 0) return null;
  return (
    <SheetSection heading="Other versions">
      {overview.losers.map((loser) => (
        <SheetItem
          key={loser.id}
          text={fieldsPreview(loser.fields)}
          note={`${originOf(loser)} · ${entryTimeText(loser.keptAtMs, nowMs)}`}
        >
          <Button onClick={() => action.run(() => commands.restoreLoser(loser.id))}>Restore</Button>
          <Button onClick={() => action.run(() => commands.discardLoser(loser.id))}>Discard</Button>
        </SheetItem>
      ))}
    </SheetSection>
  );
}
