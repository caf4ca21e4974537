import { webLinkParts } from '../../../lib/text/web-links.ts';

/** A text whose web addresses can be followed. They lie above what a bubble has over all of it. */
export function LinkedText({ text }: { readonly text: string }) {
  return webLinkParts(text).map(({ text: words, href }, index) =>
    href === null ? (
      words
    ) : (
      <a
        // A text does not change its parts.
        // oxlint-disable-next-line react/no-array-index-key
        key={index}
        href={href}
        target="_blank"
        rel="noopener"
        className="relative z-1 wrap-anywhere underline underline-offset-4"
      >
        {words}
      </a>
    ),
  );
}
