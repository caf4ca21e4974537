import { Link } from '@tanstack/react-router';
import { useAtomValue } from 'jotai';
import Plus from 'lucide-react/icons/plus';
import { useMemo, useRef, useState, type ReactNode } from 'react';
import type { Pet } from '../../../schemas/documents/document.ts';
import { useData } from '../../data/data-context.ts';
import { classNames } from '../../lib/dom/class-names.ts';
import { useColumnCount } from '../../lib/dom/column-count.ts';
import { useMediaQuery } from '../../lib/dom/media-query.ts';
import { useDocumentTitle } from '../../lib/dom/document-title.ts';
import { isHeadingFoldedAtom } from '../../lib/react/header-state.ts';
import { useLive } from '../../lib/async/live.ts';
import { useToday } from '../../lib/dates/now.ts';
import { dismissHint, isHintDismissed } from '../../platform/storage/dismissed-hints.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { MissingFacts } from './missing-facts.tsx';
import { petFacts } from './pet-facts.ts';
import { PetPicture } from './picture/pet-picture.tsx';
import { UnknownPet } from './unknown-pet.tsx';

export interface PetProfileProps {
  readonly petId: string;
  /** The dog's journal. */
  readonly children: ReactNode;
}

export function PetProfile({ petId, children }: PetProfileProps) {
  const { queries } = useData();
  const pet = useLive(useMemo(() => queries.pet(petId), [queries, petId]));
  useDocumentTitle(pet?.fields.name);
  if (!pet) {
    const skeleton = <HeadingSkeleton />;
    return (
      <div className="page-column flex min-h-0 flex-1 flex-col">
        {pet === null ? <UnknownPet petId={petId} heading="h1" skeleton={skeleton} /> : skeleton}
      </div>
    );
  }
  return (
    <>
      <ProfileHeading pet={pet} />
      {children}
    </>
  );
}

/** Returns which form the heading has in a window of this size. */
function useHeadingRoom() {
  return {
    /** On a phone in landscape the heading is always small. */
    isLow: useMediaQuery('(max-height: 26rem)'),
    /** Without the third column, which shows the picture and the facts. */
    isWhole: useColumnCount() < 3,
  };
}

/** Longer names are set smaller, so that they leave room for the journal. */
const longNameLength = 20;

function ProfileHeading({ pet }: { readonly pet: Pet }) {
  const facts = petFacts(pet, useToday());
  const name = pet.fields.name ?? '';
  const isScrolled = useAtomValue(isHeadingFoldedAtom);
  const { isLow, isWhole } = useHeadingRoom();
  const isFolded = isScrolled || isLow;
  const { uid } = useData();
  const [isDismissed, setIsDismissed] = useState(() => isHintDismissed(uid, pet.id));
  const actionsRef = useRef<HTMLAnchorElement>(null);
  return (
    <div className="page-heading fade-below z-2 @container mx-auto w-full max-w-journal flex-none">
      {/* With large text in a narrow column, the name gets a line of its own. */}
      <div className="flex items-center gap-4 px-4 pb-3 writing:pb-1 @max-[18rem]:flex-wrap">
        {isWhole && (
          <span className="contents writing:hidden">
            <PetPicture pet={pet} shape={isFolded ? 'folded' : 'large'} />
          </span>
        )}
        <div className="min-w-0 flex-1 @max-[18rem]:order-last @max-[18rem]:basis-full">
          <h1
            className={classNames(
              'wrap-anywhere transition-all writing:line-clamp-1 writing:text-lg',
              isFolded && 'line-clamp-1',
              isFolded || name.length > longNameLength ? 'text-xl' : 'text-3xl',
            )}
          >
            <bdi>{name}</bdi>
          </h1>
          {facts !== '' && isWhole && !isFolded && (
            <p className="text-ink-soft writing:hidden">{facts}</p>
          )}
        </div>
        <Link
          ref={actionsRef}
          to="/pets/$petId/actions"
          params={{ petId: pet.id }}
          aria-label="Actions"
          title="Actions"
          className="inline-flex size-11 flex-none items-center justify-center rounded-full bg-card-strong transition-colors hover:bg-line writing:hidden @max-[18rem]:ml-auto"
        >
          <Plus aria-hidden size={24} />
        </Link>
      </div>
      {!isDismissed && !isFolded && (
        <MissingFacts
          pet={pet}
          onDismiss={() => {
            dismissHint(uid, pet.id);
            setIsDismissed(true);
            actionsRef.current?.focus();
          }}
        />
      )}
    </div>
  );
}

function HeadingSkeleton() {
  const { isLow, isWhole } = useHeadingRoom();
  return (
    <div className="flex min-h-14 items-center gap-4 pb-3">
      {isWhole && <Skeleton className={isLow ? 'size-10' : 'size-20'} />}
      <Skeleton className="h-8 w-40" />
    </div>
  );
}
