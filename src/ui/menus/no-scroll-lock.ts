import { Fragment } from 'react';

/**
 * Replaces `react-remove-scroll` in the bundles (`scripts/bundle/bundle-aliases.ts`). Radix's menus render it in their
 * modal mode, which PawPals does not use: it needs an inline style that the content security policy blocks.
 */
export const RemoveScroll = Fragment;
