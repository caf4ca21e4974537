import { useData } from '../../data/data-context.ts';
import type { KeptLoser, NamedPet, SyncOverview } from '../../data/queries.ts';
import type { Action } from '../../lib/use-action.ts';
import { entryTimeText } from '../../lib/entry-time-text.ts';
import { useNow } from '../../lib/now.ts';
import { fieldsText } from './item-words.ts';
import { MoveEntry } from './move-entry.tsx';
import { DiscardButton, ItemButton, SheetItem } from './sheet-item.tsx';
import { SheetSection } from './sheet-section.tsx';

export interface LoserSectionProps {
  readonly overview: SyncOverview;
  /** The dogs there are. */
  readonly pets: readonly NamedPet[];
  readonly action: Action;
}

function originOf({ side, reason }: KeptLoser): string {
  const where = side === 'local' ? 'Written on this device' : 'Written on another device';
  return reason === 'deleted'
    ? `${where}, but deleted meanwhile`
    : `${where}, but changed meanwhile`;
}

export function LoserSection({ overview, pets, action }: LoserSectionProps) {
  if (overview.losers.length === 0) return null;
  return (
    <SheetSection heading="Other versions">
      {overview.losers.map((loser) => (
        <LoserItem key={loser.id} loser={loser} pets={pets} action={action} />
      ))}
    </SheetSection>
  );
}

interface LoserItemProps {
  readonly loser: KeptLoser;
  readonly pets: readonly NamedPet[];
  readonly action: Action;
}

function LoserItem({ loser, pets, action }: LoserItemProps) {
  const { commands } = useData();
  const nowMs = useNow();
  const { id, collection, petId } = loser;
  const isHomeless = collection === 'entries' && pets.every((pet) => pet.id !== petId);
  const note = `${originOf(loser)} · ${entryTimeText(loser.keptAtMs, nowMs)}`;
  return (
    <SheetItem
      text={fieldsText(loser.fields)}
      note={isHomeless ? `${note}. Its dog was deleted.` : note}
      isBusy={action.isBusy(id)}
    >
      {isHomeless && pets.length > 0 && (
        <MoveEntry
          pets={pets}
          onMove={(toPetId) => action.run(() => commands.restoreLoser(id, toPetId), id)}
        />
      )}
      {!isHomeless && (
        <ItemButton onClick={() => action.run(() => commands.restoreLoser(id), id)}>
          Restore
        </ItemButton>
      )}
      <DiscardButton onDiscard={() => action.run(() => commands.discardLoser(id), id)} />
    </SheetItem>
  );
}
