/**
 * The page may paint and answer a touch before what follows. Not for what has to be done before the next frame.
 * A message where there is no `scheduler.yield` (Safari): timers of a page in the background wait for a second.
 */
export async function nextTask(): Promise<void> {
  if ('scheduler' in globalThis && 'yield' in scheduler) return scheduler.yield();
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(null);
  });
}
