/**
 * Waits for a new task, so that the page may paint and handle a touch first. It is not for work that must precede the
 * next frame. Without `scheduler.yield` (Safari) it posts a message, because timers of a background page wait for a
 * second.
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
