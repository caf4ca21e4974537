/**
 * Sends the requests of this process with the headers of a page of that origin. A key that is restricted to the app's
 * own addresses is refused without them, and a bucket then says whether pages may read it. The SDK takes the platform's
 * `fetch` when it is loaded, so this has to run first.
 */
export function sendAsPageOf(origin: string): void {
  const send = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const request = new Request(input, init);
    request.headers.set('origin', origin);
    request.headers.set('referer', `${origin}/`);
    return send(request);
  };
}
