import { useState } from 'react';
import type { NamedPet } from '../../data/queries/queries.ts';
import { ItemButton } from './sheet-item.tsx';

export interface MoveEntryProps {
  /** At least one. */
  readonly pets: readonly NamedPet[];
  readonly onMove: (pet: NamedPet) => void;
}

/** Chooses the dog that an entry of a deleted dog goes to; with one dog there is nothing to choose. */
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
        {pets.length === 1 ? `Move to ${only?.name ?? ''}` : 'Move to another dog'}
      </ItemButton>
    );
  }
  return pets.map((pet, index) => (
    // The first stands where the button was that had the focus.
    <ItemButton key={pet.id} kind="primary" autoFocus={index === 0} onClick={() => onMove(pet)}>
      {`Move to ${pet.name}`}
    </ItemButton>
  ));
}
