import { root } from './install.mjs';

// In this very process, so that a signal to it, even kill -9, reaches the server.
const { serve } = await import('../.cache/server/serve.js');
await serve({ root, args: process.argv.slice(2), env: process.env });
