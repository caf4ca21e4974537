import { webLinkParts } from '../../../lib/text/web-links.ts';

/** A text with links for its web addresses. The links lie above the control that covers a bubble. */
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
