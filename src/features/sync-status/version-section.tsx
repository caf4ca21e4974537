import { useData } from '../../data/data-context.ts';
import type { KeptVersion, NamedPet } from '../../data/queries/queries.ts';
import type { Action } from '../../lib/react/use-action.ts';
import { entryTimeText } from '../../lib/dates/entry-time-text.ts';
import { useNow } from '../../lib/dates/now.ts';
import { doneTexts, movedText, versionText } from './item-copy.ts';
import { MoveEntry } from './move-entry.tsx';
import { DiscardButton, ExportButton, ItemButton, SheetItem } from './sheet-item.tsx';
import { SheetSection, type SheetSectionProps } from './sheet-section.tsx';

export interface VersionSectionProps extends Pick<SheetSectionProps, 'level'> {
  readonly versions: readonly KeptVersion[];
  /** All dogs of the owner. */
  readonly pets: readonly NamedPet[];
  readonly action: Action;
}

function originOf({ side, reason }: KeptVersion): string {
  const where = side === 'local' ? 'Written on this device' : 'Written on another device';
  return reason === 'deleted'
    ? `${where}, but deleted meanwhile`
    : `${where}, but changed meanwhile`;
}

function petIdOf({ collection, documentId, petId }: KeptVersion): string | null {
  return collection === 'pets' ? documentId : petId;
}

export function VersionSection({ versions, pets, action, level }: VersionSectionProps) {
  if (versions.length === 0) return null;
  return (
    <SheetSection heading="Other versions" level={level}>
      {versions.map((version) => (
        <VersionItem key={version.id} {...{ version, pets, action, level }} />
      ))}
    </SheetSection>
  );
}

interface VersionItemProps extends Omit<VersionSectionProps, 'versions'> {
  readonly version: KeptVersion;
}

function VersionItem({ version, pets, action, level }: VersionItemProps) {
  const { commands } = useData();
  const nowMs = useNow();
  const { id } = version;
  const pet = pets.find((one) => one.id === petIdOf(version));
  const isHomeless = version.collection === 'entries' && pet === undefined;
  // A dog that was deleted since is restored as a new one, which needs a name.
  const isRestorable = pet !== undefined || (!isHomeless && version.fields['name'] !== undefined);
  // The page of a note names its dog above.
  const name = level === 'h2' ? undefined : pet?.fields.name;
  const parts = [name, originOf(version), entryTimeText(version.keptAtMs, nowMs)];
  return (
    <SheetItem
      text={versionText(version)}
      facts={parts.filter((part) => part !== undefined).join(' · ')}
      work={{ id, action }}
      {...(isRestorable ? {} : { note: 'Its dog was deleted.' })}
    >
      {isHomeless && pets.length > 0 && (
        <MoveEntry
          pets={pets}
          onMove={(to) =>
            action.run(
              async () => (await commands()).restoreConflictVersion(id, to.id),
              id,
              movedText(to),
            )
          }
        />
      )}
      {isRestorable && (
        <ItemButton
          onClick={() =>
            action.run(
              async () => (await commands()).restoreConflictVersion(id),
              id,
              doneTexts.restore,
            )
          }
        >
          Restore
        </ItemButton>
      )}
      <ExportButton item={version} action={action} />
      <DiscardButton
        onDiscard={() =>
          action.run(
            async () => (await commands()).discardConflictVersion(id),
            id,
            doneTexts.discard,
          )
        }
      />
    </SheetItem>
  );
}
