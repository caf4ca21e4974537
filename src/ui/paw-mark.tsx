export interface PawMarkProps {
  /** The size in pixels. */
  readonly size: number;
  readonly className?: string;
}

/** The paw of the app's icon, in the colour of the surrounding text. */
export function PawMark({ size, className }: PawMarkProps) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 240 240"
      width={size}
      height={size}
      fill="currentColor"
      className={className}
    >
      <path d="M120 112c40 0 82 46 82 86 0 24-18 36-40 36-17 0-25-9-42-9s-25 9-42 9c-22 0-40-12-40-36 0-40 42-86 82-86Z" />
      <ellipse cx="30" cy="112" rx="26" ry="37" transform="rotate(-26 30 112)" />
      <ellipse cx="84" cy="49" rx="29" ry="43" transform="rotate(-9 84 49)" />
      <ellipse cx="156" cy="49" rx="29" ry="43" transform="rotate(9 156 49)" />
      <ellipse cx="210" cy="112" rx="26" ry="37" transform="rotate(26 210 112)" />
    </svg>
  );
}
