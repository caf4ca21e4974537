import { Link } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { shareNotKept } from '../../../schemas/local/shared-item.ts';
import { CommandError, commandErrorCopy } from '../../data/commands/commands.ts';
import { useData } from '../../data/data-context.ts';
import { withoutAll, withoutTexts } from '../../data/shared-items.ts';
import { buttonStyle } from '../../ui/button-style.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { RetryNote } from '../../ui/retry-note.tsx';
import { SharedGlance } from './shared-glance.tsx';
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
  /** Asks for the dog of what `about` shows. */
  readonly renderChooser: (question: string, about: ReactNode) => ReactNode;
  /** Puts the texts into the box of the dog's journal. @returns whether the box keeps them. */
  readonly keepText: (petId: string, texts: readonly string[]) => boolean;
  /** Navigates to the dog; to all dogs if none was chosen. */
  readonly onDone: (petId?: string) => void;
}

/** The page for an item that another app has shared. It asks for the dog first, then for the use of each part. */
export function SharedItemPage(props: SharedItemPageProps) {
  const { shareId, petId, onDone } = props;
  const { item, problem, fail, retry, keepRest } = useSharedItem(shareId);
  const isTextOnly = item?.files.length === 0;

  const keepText = (pet: string, texts: readonly string[]): void => {
    if (!props.keepText(pet, texts)) throw new CommandError('storage', noRoomForText);
  };

  const finish = useEffectEvent(async (pet: string): Promise<void> => {
    try {
      if (item && isTextOnly) {
        keepText(pet, item.texts);
        await keepRest(withoutTexts);
      }
      onDone(pet);
    } catch (error) {
      fail(error);
    }
  });
  // Text can only go into the box. An item that is used up, perhaps on another page, leads to the dog as well.
  const isFinished = item === null || isTextOnly;
  useEffect(() => {
    if (petId !== undefined && isFinished && problem === null) void finish(petId);
  }, [petId, isFinished, problem]);

  if (problem !== null) {
    return <RetryNote onRetry={retry}>{problem}</RetryNote>;
  }
  if (item === undefined) return <Opening />;
  if (item === null) {
    return <NotHere sentence={shareId === shareNotKept ? sharedNotKept : sharedGone} />;
  }
  if (petId === undefined) {
    const discard = (): void => {
      keepRest(withoutAll).then(() => onDone(), fail);
    };
    return props.renderChooser(
      petQuestion(item),
      <SharedGlance texts={item.texts} files={item.files} onDiscard={discard} />,
    );
  }
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

/**
 * The page for no item in particular: it opens the one that has waited longest. A share arrives here without an item if
 * there is no worker to take it.
 */
export function OldestShared({ onFound }: { readonly onFound: (id: string) => void }) {
  const { files } = useData();
  const [sentence, setSentence] = useState<string | null>(null);
  const show = useEffectEvent(([oldest]: readonly string[]) => {
    if (oldest === undefined) setSentence(nothingShared);
    else onFound(oldest);
  });
  useEffect(() => {
    let isLeft = false;
    files
      .load()
      .then(({ shared }) => shared.list())
      .then(
        (ids) => isLeft || show(ids),
        (error: unknown) => setSentence(commandErrorCopy(error)),
      );
    return () => {
      isLeft = true;
    };
  }, [files]);
  return sentence === null ? <Opening /> : <NotHere sentence={sentence} />;
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
