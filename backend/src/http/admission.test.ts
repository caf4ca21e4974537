import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createIsIn } from './guards/client-address.ts';
import { startHttpServer } from './http-server.ts';

async function ask(isAdmitted: (address: string) => boolean): Promise<string> {
  const server = await startHttpServer((_request, response) => response.end('in'), {
    port: 0,
    isAdmitted,
  });
  onTestFinished(() => server.stop());
  const socket = connect(server.port, '127.0.0.1');
  // A closed connection may fail the write or the read; the end is the same.
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.0\r\n\r\n');
  let answer = '';
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString())).on('close', () => resolve());
  });
  return answer;
}

it('a server behind a proxy answers the proxy, and closes connections from elsewhere', async () => {
  expect(await ask(createIsIn(['127.0.0.0/8']))).toMatch(/^HTTP\/1\.1 200 [\s\S]*in$/);
  expect(await ask(createIsIn(['192.0.2.1']))).toBe('');
});
