import { newerSchemaCode, type Entry, type Pet } from '../../../schemas/documents/document.ts';
import { isParked, type OutboxJob } from '../../../schemas/local/outbox-job.ts';
import { useData } from '../../data/data-context.ts';
import type { NamedPet, SyncOverview } from '../../data/queries/queries.ts';
import { keepFocus } from '../../lib/dom/keep-focus.ts';
import type { Action } from '../../lib/react/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { countText } from '../../lib/text/count-text.ts';
import { useNow } from '../../lib/dates/now.ts';
import {
  doneTexts,
  entryText,
  movedText,
  parkedReason,
  petText,
  whereabouts,
} from './item-copy.ts';
import { ParkedFile } from './parked-file.tsx';
import { MoveEntry } from './move-entry.tsx';
import { DiscardButton, ExportButton, ItemButton, SheetItem } from './sheet-item.tsx';
import { SheetSection } from './sheet-section.tsx';

export interface ParkedSectionProps {
  readonly overview: SyncOverview;
  /** All dogs of the owner. */
  readonly pets: readonly NamedPet[];
  readonly action: Action;
}

function isPictureOf({ entryId, petId }: OutboxJob, { id }: Pet): boolean {
  return entryId === null && petId === id;
}

/** Whether its dog is deleted: it cannot be sent again before it has another one. */
function isHomeless({ code, petId }: Entry, pets: readonly NamedPet[]): boolean {
  return code === 'pet-deleted' && pets.every(({ id }) => id !== petId);
}

/**
 * Whether it stays parked, since this client would overwrite what a newer version of the app wrote into it. A deletion
 * overwrites nothing.
 */
function isUnreadable({ code, deleted }: Pet | Entry): boolean {
  return code === newerSchemaCode && !deleted;
}

/** Returns the listed items that "Retry all" sends again. */
export function retriedByAll(
  { parkedPets, parkedEntries, files }: SyncOverview,
  pets: readonly NamedPet[],
): readonly unknown[] {
  const documents = [...parkedPets, ...parkedEntries.filter((entry) => !isHomeless(entry, pets))];
  return [
    ...documents.filter((document) => !isUnreadable(document)),
    ...(files?.filter(isParked) ?? []),
  ];
}

export function ParkedSection({ overview, pets, action }: ParkedSectionProps) {
  const { parkedPets, parkedEntries, parkedCount } = overview;
  const files = overview.files?.filter(isParked) ?? [];
  const unlisted = parkedCount - parkedPets.length - parkedEntries.length - files.length;
  const sendableCount = unlisted + retriedByAll(overview, pets).length;
  if (parkedCount === 0) return null;
  return (
    <SheetSection
      heading={`${String(parkedCount)} could not be sent`}
      action={sendableCount > 1 && <RetryAllButton action={action} />}
    >
      {parkedPets.map((pet) => (
        <SheetItem
          key={pet.id}
          text={petText(pet)}
          note={parkedReason(pet.code)}
          work={{ id: pet.id, action }}
        >
          <ParkedButtons
            collection="pets"
            row={pet}
            action={action}
            isFileWaiting={overview.files?.some((job) => isPictureOf(job, pet)) === true}
          />
        </SheetItem>
      ))}
      {parkedEntries.map((entry) => (
        <ParkedEntry key={entry.id} entry={entry} pets={pets} action={action} />
      ))}
      {files.map((job) => (
        <ParkedFile key={job.id} job={job} pets={pets} action={action} />
      ))}
      {unlisted > 0 && <SheetItem text={`and ${countText(unlisted, 'other')}`} />}
    </SheetSection>
  );
}

function RetryAllButton({ action }: Pick<ParkedSectionProps, 'action'>) {
  const { commands, files } = useData();
  const retryAll = async (): Promise<void> => {
    await (await commands()).retryAll();
    await (await files.load()).retryAllFiles();
  };
  return (
    <Button
      ref={keepFocus}
      className="mt-2"
      onClick={() => action.run(retryAll, '', doneTexts.retryAll)}
    >
      Retry all
    </Button>
  );
}

interface ParkedEntryProps {
  readonly entry: Entry;
  readonly pets: readonly NamedPet[];
  readonly action: Action;
}

function ParkedEntry({ entry, pets, action }: ParkedEntryProps) {
  const { commands } = useData();
  const nowMs = useNow();
  const { id, petId, code } = entry;
  const otherPets = pets.filter((pet) => pet.id !== petId);
  return (
    <SheetItem
      text={entryText(entry)}
      facts={whereabouts(entry, pets, nowMs)}
      note={parkedReason(code)}
      work={{ id, action }}
    >
      {code === 'pet-deleted' && otherPets.length > 0 && (
        <MoveEntry
          pets={otherPets}
          onMove={(to) =>
            action.run(async () => (await commands()).moveEntry(id, to.id), id, movedText(to))
          }
        />
      )}
      <ParkedButtons
        collection="entries"
        row={entry}
        action={action}
        canRetry={!isHomeless(entry, pets)}
      />
    </SheetItem>
  );
}

interface ParkedButtonsProps {
  readonly collection: 'pets' | 'entries';
  readonly row: Pet | Entry;
  readonly action: Action;
  readonly isFileWaiting?: boolean;
  readonly canRetry?: boolean;
}

function ParkedButtons(props: ParkedButtonsProps) {
  const { collection, row, action, isFileWaiting = false, canRetry = true } = props;
  const { commands, files } = useData();
  const { id } = row;
  const mayRetry = canRetry && !isUnreadable(row);
  const discard = async (): Promise<void> => {
    await (await commands()).discard(collection, id);
    // The recording stays if its entry still exists.
    if (collection === 'entries') await (await files.load()).voice.discard(id);
  };
  return (
    <>
      {mayRetry && (
        <ItemButton
          onClick={() =>
            action.run(async () => (await commands()).retry(collection, id), id, doneTexts.retry)
          }
        >
          Retry
        </ItemButton>
      )}
      <ExportButton item={row} action={action} isFileWaiting={isFileWaiting} />
      <DiscardButton onDiscard={() => action.run(discard, id, doneTexts.discard)} />
    </>
  );
}
