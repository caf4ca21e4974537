import { useData } from '../../data/data-context.ts';
import type { KeptLoser, NamedPet } from '../../data/queries.ts';
import type { Action } from '../../lib/use-action.ts';
import { entryTimeText } from '../../lib/entry-time-text.ts';
import { useNow } from '../../lib/now.ts';
import { doneTexts, movedText, versionText } from './item-words.ts';
import { MoveEntry } from './move-entry.tsx';
import { DiscardButton, ExportButton, ItemButton, SheetItem } from './sheet-item.tsx';
import { SheetSection } from './sheet-section.tsx';

export interface LoserSectionProps {
  readonly losers: readonly KeptLoser[];
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

function petIdOf({ collection, documentId, petId }: KeptLoser): string | null {
  return collection === 'pets' ? documentId : petId;
}

export function LoserSection({ losers, pets, action }: LoserSectionProps) {
  if (losers.length === 0) return null;
  return (
    <SheetSection heading="Other versions">
      {losers.map((loser) => (
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
  const { id } = loser;
  const pet = pets.find((one) => one.id === petIdOf(loser));
  const isHomeless = loser.collection === 'entries' && pet === undefined;
  // A dog that was deleted since comes back as a new one, which needs a name.
  const isRestorable = pet !== undefined || (!isHomeless && loser.fields['name'] !== undefined);
  const parts = [pet?.name, originOf(loser), entryTimeText(loser.keptAtMs, nowMs)];
  return (
    <SheetItem
      text={versionText(loser)}
      facts={parts.filter((part) => part !== undefined).join(' · ')}
      work={{ id, action }}
      {...(isRestorable ? {} : { note: 'Its dog was deleted.' })}
    >
      {isHomeless && pets.length > 0 && (
        <MoveEntry
          pets={pets}
          onMove={(to) => action.run(() => commands.restoreLoser(id, to.id), id, movedText(to))}
        />
      )}
      {isRestorable && (
        <ItemButton
          onClick={() => action.run(() => commands.restoreLoser(id), id, doneTexts.restore)}
        >
          Restore
        </ItemButton>
      )}
      <ExportButton item={loser} action={action} />
      <DiscardButton
        onDiscard={() => action.run(() => commands.discardLoser(id), id, doneTexts.discard)}
      />
    </SheetItem>
  );
}
