import { useState } from 'react';
import type { NamedPet } from '../../data/queries/queries.ts';
import { ItemButton } from './sheet-item.tsx';

export interface MoveEntryProps {
  /** The dogs to choose from, at least one. */
  readonly pets: readonly NamedPet[];
  readonly onMove: (pet: NamedPet) => void;
}

/** Asks for the dog that an entry of a deleted dog moves to. With one dog, that one is chosen. */
export function MoveEntry({ pets, onMove }: MoveEntryProps) {
  const [isChoosing, setIsChoosing] = useState(false);
  const [only] = pets;
  if (!isChoosing) {
    const move = (): void => {
      if (pets.length === 1 && only !== undefined) onMove(only);
      else setIsChoosing(true);
    };
    return (
      <ItemButton kind="primary" onClick={move}>
        {pets.length === 1 ? `Move to ${only?.fields.name ?? ''}` : 'Move to another dog'}
      </ItemButton>
    );
  }
  return pets.map((pet, index) => (
    <ItemButton
      key={pet.id}
      kind="primary"
      // The first button replaces the one that had the focus.
      autoFocus={index === 0}
      onClick={() => onMove(pet)}
    >
      {`Move to ${pet.fields.name}`}
    </ItemButton>
  ));
}
