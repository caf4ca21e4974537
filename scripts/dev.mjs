import { spawn } from 'node:child_process';
import { ensureInstalled, requireNode, root } from './machine/install.mjs';

requireNode();
ensureInstalled();

const backendPort = process.env.PAWPALS_BACKEND_PORT ?? '4174';
const data = process.env.PAWPALS_DATA ?? '.pawpals';
const env = { ...process.env, PAWPALS_BACKEND_PORT: backendPort };
const start = (args) => spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env });

const backend = ['--import', 'tsx', 'backend/src/main.ts', '--port', backendPort, '--data', data];
backend.push('--firestore-rules', 'firestore.rules', '--storage-rules', 'storage.rules');
backend.push('--firestore-indexes', 'firestore.indexes.json', '--google-chooser');

const children = [start(backend), start(['node_modules/vite/bin/vite.js'])];
const stop = () => children.forEach((child) => child.kill('SIGTERM'));
process.on('SIGINT', stop);
process.on('SIGTERM', stop);
for (const child of children) {
  child.on('exit', (code) => {
    // One that fails, as for a port in use, ends the other.
    if (code) process.exitCode ??= code;
    stop();
  });
}
