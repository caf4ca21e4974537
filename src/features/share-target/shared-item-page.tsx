import { Link } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { shareNotKept } from '../../../schemas/local/shared-item.ts';
import { CommandError, commandErrorCopy } from '../../data/commands/commands.ts';
import { withoutTexts } from '../../data/shared-items.ts';
import { buttonStyle } from '../../ui/button-style.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { SharedParts, type SharedPartsProps } from './shared-parts.tsx';
import {
  petQuestion,
  noRoomForText,
  nothingShared,
  sharedGone,
  sharedNotKept,
} from './shared-copy.ts';
import { useSharedItem } from './use-shared-item.ts';

export interface SharedItemPageProps extends Pick<
  SharedPartsProps,
  'Player' | 'onPicture' | 'children'
> {
  readonly shareId: string;
  /** The chosen dog; undefined until it is chosen. */
  readonly petId: string | undefined;
  readonly renderChooser: (question: string) => ReactNode;
  /** Puts the texts into the box of the dog's journal. @returns whether the box keeps them. */
  readonly keepText: (petId: string, texts: readonly string[]) => boolean;
  /** Navigates to the dog. */
  readonly onDone: (petId: string) => void;
}

/** The page for an item that another app has shared. It asks for the dog first, then for the use of each part. */
export function SharedItemPage(props: SharedItemPageProps) {
  const { shareId, petId, onDone } = props;
  const { item, problem, keepRest } = useSharedItem(shareId);
  const [failure, setFailure] = useState<string | null>(null);
  const isTextOnly = item?.files.length === 0;

  const keepText = (pet: string, texts: readonly string[]): void => {
    if (!props.keepText(pet, texts)) throw new CommandError('storage', noRoomForText);
  };

  const finish = useEffectEvent(async (pet: string): Promise<void> => {
    if (item && isTextOnly) {
      keepText(pet, item.texts);
      await keepRest(withoutTexts);
    }
    onDone(pet);
  });
  // Text can only go into the box. An item that is used up, perhaps on another page, leads to the dog as well.
  const isFinished = item === null || isTextOnly;
  useEffect(() => {
    if (petId === undefined || !isFinished) return;
    finish(petId).catch((error: unknown) => setFailure(commandErrorCopy(error)));
  }, [petId, isFinished]);

  const trouble = problem ?? failure;
  if (trouble !== null) return <ProblemNote>{trouble}</ProblemNote>;
  if (item === undefined) return <Opening />;
  if (item === null) {
    return <NotHere sentence={shareId === shareNotKept ? sharedNotKept : sharedGone} />;
  }
  if (petId === undefined) return props.renderChooser(petQuestion(item));
  if (isTextOnly) return <Opening />;
  return (
    <SharedParts
      item={item}
      petId={petId}
      Player={props.Player}
      keepText={(texts) => keepText(petId, texts)}
      keepRest={keepRest}
      onPicture={props.onPicture}
    >
      {props.children}
    </SharedParts>
  );
}

export interface SharedTextProps {
  /** Asks for the dog. */
  readonly renderChooser: (question: string, onChoose: (petId: string) => void) => ReactNode;
  /** Puts the texts into the box of the dog's journal. @returns whether the box keeps them. */
  readonly keepText: (petId: string) => boolean;
  /** Navigates to the dog. */
  readonly onDone: (petId: string) => void;
}

/** The page for a text that came in the address, and stays there until the box keeps it. */
export function SharedText({ renderChooser, keepText, onDone }: SharedTextProps) {
  const [isFull, setIsFull] = useState(false);
  if (isFull) return <ProblemNote>{noRoomForText}</ProblemNote>;
  return renderChooser('Whose journal is it for?', (petId) => {
    if (keepText(petId)) onDone(petId);
    else setIsFull(true);
  });
}

/** The page for a share without an item: without a worker, the system cannot pass one on. */
export function NothingShared() {
  return <NotHere sentence={nothingShared} />;
}

function Opening() {
  return (
    <p role="status" className="px-6 py-8 text-center text-ink-soft">
      Opening what you shared…
    </p>
  );
}

function NotHere({ sentence }: { readonly sentence: string }) {
  return (
    <EmptyState sentence={sentence}>
      <Link to="/pets" replace className={buttonStyle('primary')}>
        My Dogs
      </Link>
    </EmptyState>
  );
}
