import { classNames } from '../lib/class-names.ts';
import { stableNumber } from '../lib/stable-number.ts';

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
  large: 'size-20 rounded-card text-4xl',
  folded: 'size-10 rounded-lg text-lg',
};

export interface InitialPictureProps {
  readonly name: string;
  /** Decides the colour. */
  readonly id: string;
  readonly shape: keyof typeof shapes;
}

/** Stands for a picture that is not there. Says nothing that the name beside it does not say. */
export function InitialPicture({ name, id, shape }: InitialPictureProps) {
  const [initial = ''] = name.trim();
  return (
    <span
      aria-hidden="true"
      className={classNames(
        'inline-flex flex-none items-center justify-center font-serif font-semibold text-dog-ink transition-all select-none',
        colours[stableNumber(id, colours.length)],
        shapes[shape],
      )}
    >
      {initial.toLocaleUpperCase('en-GB')}
    </span>
  );
}
