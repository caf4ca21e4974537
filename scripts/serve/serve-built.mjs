import { root } from '../machine/install.mjs';

// The server runs in this process, so that a signal to it, even kill -9, reaches the server.
const built = new URL('../../.cache/server/serve.js', import.meta.url);
const { serve } = await import(built.href);
await serve({ root, args: process.argv.slice(2), env: process.env });
