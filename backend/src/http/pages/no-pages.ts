import { sendText, type Route } from '../exchange.ts';

/** Replaces the pages of the app when the server runs without one. */
export const noPages: Route = {
  name: 'no pages',
  matches: () => true,
  handle: ({ response }) => sendText(response, 404, 'Not found'),
};
