import { useState } from 'react';
import { classNames } from '../lib/dom/class-names.ts';
import { hashToIndex } from '../lib/hash-to-index.ts';
import { initialOf } from '../lib/text/initial.ts';

const colours = [
  'bg-dog-0',
  'bg-dog-1',
  'bg-dog-2',
  'bg-dog-3',
  'bg-dog-4',
  'bg-dog-5',
  'bg-dog-6',
  'bg-dog-7',
];

const shapes = {
  small: 'size-10 rounded-full text-lg',
  medium: 'size-14 rounded-full text-2xl',
  large: 'size-20 rounded-card text-4xl @max-[18rem]:size-12 @max-[18rem]:text-2xl',
  portrait: 'aspect-square w-full rounded-card text-[min(6rem,60cqi)]',
  folded: 'size-10 rounded-lg text-lg',
};

export interface InitialPictureProps {
  readonly name: string;
  /** The id that decides the colour. */
  readonly id: string;
  readonly shape: keyof typeof shapes;
  /** The address of the picture; null or undefined while there is none. */
  readonly url?: string | null | undefined;
}

/**
 * A picture, or the initial in its place while the picture is missing or cannot be read. It is hidden from screen
 * readers, because the name stands beside it.
 */
export function InitialPicture({ name, id, shape, url }: InitialPictureProps) {
  const [hasLoaded, setHasLoaded] = useState(false);
  return (
    <span
      aria-hidden="true"
      className={classNames(
        'relative inline-flex flex-none items-center justify-center overflow-hidden font-serif font-semibold text-dog-ink transition-all select-none',
        colours[hashToIndex(id, colours.length)],
        shapes[shape],
      )}
    >
      {!(url && hasLoaded) && initialOf(name)}
      {url && (
        <img
          src={url}
          alt=""
          className={classNames(
            'absolute inset-0 size-full object-cover',
            !hasLoaded && 'opacity-0',
          )}
          onLoad={() => setHasLoaded(true)}
          onError={() => setHasLoaded(false)}
        />
      )}
    </span>
  );
}
