/**
 * As much of XMLHttpRequest as the channel of the SDK uses: it reads `responseText` while the
 * response is still coming in.
 */
class FetchRequest extends EventTarget {
  readyState = 0;
  status = 0;
  statusText = '';
  responseText = '';
  withCredentials = false;
  responseType = '';
  timeout = 0;
  onreadystatechange: (() => void) | null = null;
  readonly #controller = new AbortController();
  readonly #headers = new Headers();
  #isAborted = false;
  #method = 'GET';
  #url = '';
  #responseHeaders = new Headers();

  open(method: string, url: string): void {
    this.#method = method;
    this.#url = url;
    this.#setState(1);
  }

  setRequestHeader(name: string, value: string): void {
    this.#headers.set(name, value);
  }

  getResponseHeader(name: string): string | null {
    return this.#responseHeaders.get(name);
  }

  getAllResponseHeaders(): string {
    return [...this.#responseHeaders].map(([name, value]) => `${name}: ${value}`).join('\r\n');
  }

  send(body?: string): void {
    void this.#run(body);
  }

  abort(): void {
    this.#isAborted = true;
    this.#controller.abort();
  }

  #setState(state: number): void {
    this.readyState = state;
    if (!this.#isAborted) this.onreadystatechange?.();
  }

  async #run(body: string | undefined): Promise<void> {
    try {
      const response = await fetch(this.#url, {
        method: this.#method,
        headers: this.#headers,
        signal: this.#controller.signal,
        ...(body === undefined || body === null ? {} : { body }),
      });
      this.status = response.status;
      this.#responseHeaders = response.headers;
      this.#setState(2);
      await this.#read(response);
    } catch {
      this.status = 0;
    }
    this.#setState(4);
  }

  async #read(response: Response): Promise<void> {
    const decoder = new TextDecoder();
    for await (const bytes of response.body ?? []) {
      this.responseText += decoder.decode(bytes, { stream: true });
      this.#setState(3);
    }
  }
}

export function installXmlHttpRequest(): void {
  Object.assign(globalThis, { XMLHttpRequest: FetchRequest });
}
