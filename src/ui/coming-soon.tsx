/** A label for actions that are not available yet. */
export function ComingSoon() {
  return (
    <span className="inline-flex flex-none items-center rounded-full bg-bracken-soft px-3 py-1 font-semibold text-ink">
      Coming soon
    </span>
  );
}
