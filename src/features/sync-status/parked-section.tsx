import { useMemo } from 'react';
import type { EntryRow } from '../../../schemas/document.ts';
import { useData } from '../../data/data-context.ts';
import type { SyncOverview } from '../../data/queries.ts';
import { useLive } from '../../lib/live.ts';
import { Button } from '../../ui/button.tsx';
import { entryPreview, parkedReason, petPreview } from './item-words.ts';
import { MoveEntry } from './move-entry.tsx';
import { SheetItem, SheetSection } from './sheet-section.tsx';
import type { Action } from './use-action.ts';

export interface ParkedSectionProps {
  readonly overview: SyncOverview;
  readonly action: Action;
}

export function ParkedSection({ overview, action }: ParkedSectionProps) {
  const { commands } = useData();
  const { parkedPets, parkedEntries } = overview;
  const count = parkedPets.length + parkedEntries.length;
  if (count === 0) return null;
  return (
    <SheetSection heading={`${String(count)} could not be sent`}>
      {parkedPets.map((pet) => (
        <SheetItem key={pet.id} text={petPreview(pet)} note={parkedReason(pet.code)}>
          <Button onClick={() => action.run(() => commands.retry('pets', pet.id))}>Retry</Button>
          <Button onClick={() => action.run(() => commands.discard('pets', pet.id))}>
            Discard
          </Button>
        </SheetItem>
      ))}
      {parkedEntries.map((entry) => (
        <ParkedEntry key={entry.id} entry={entry} action={action} />
      ))}
    </SheetSection>
  );
}

interface ParkedEntryProps {
  readonly entry: EntryRow;
  readonly action: Action;
}

function ParkedEntry({ entry, action }: ParkedEntryProps) {
  const { commands, queries } = useData();
  const pets = useLive(useMemo(() => queries.pets(), [queries]));
  const { id, petId, code } = entry;
  const otherPets = pets?.filter((pet) => pet.id !== petId) ?? [];
  return (
    <SheetItem text={entryPreview(entry)} note={parkedReason(code)}>
      {code === 'pet-deleted' && otherPets.length > 0 && (
        <MoveEntry
          pets={otherPets}
          onMove={(toPetId) => action.run(() => commands.moveEntry(id, toPetId))}
        />
      )}
      <Button onClick={() => action.run(() => commands.retry('entries', id))}>Retry</Button>
      <Button onClick={() => action.run(() => commands.discard('entries', id))}>Discard</Button>
    </SheetItem>
  );
}
