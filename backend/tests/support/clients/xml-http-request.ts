/**
 * The part of XMLHttpRequest that the SDK uses: the channel reads `responseText` while the response is still coming in,
 * Storage sends bytes and waits for `load`, `error` or `abort`.
 */
class FetchRequest extends EventTarget {
  readyState = 0;
  status = 0;
  statusText = '';
  responseText = '';
  response: string | ArrayBuffer | Blob | null = null;
  withCredentials = false;
  responseType = '';
  timeout = 0;
  onreadystatechange: (() => void) | null = null;
  readonly upload = new EventTarget();
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

  send(body?: BodyInit | null): void {
    void this.#run(body ?? null);
  }

  abort(): void {
    if (this.readyState === 4) return;
    this.#isAborted = true;
    this.#controller.abort();
    this.dispatchEvent(new Event('abort'));
  }

  #setState(state: number): void {
    this.readyState = state;
    if (!this.#isAborted) this.onreadystatechange?.();
  }

  async #run(body: BodyInit | null): Promise<void> {
    let outcome = 'load';
    try {
      const response = await fetch(this.#url, {
        method: this.#method,
        headers: this.#headers,
        signal: this.#controller.signal,
        body,
      });
      this.status = response.status;
      this.#responseHeaders = response.headers;
      this.#setState(2);
      await this.#read(response);
    } catch {
      this.status = 0;
      outcome = 'error';
    }
    this.#setState(4);
    if (!this.#isAborted) this.dispatchEvent(new Event(outcome));
  }

  async #read(response: Response): Promise<void> {
    if (this.responseType === 'arraybuffer') {
      this.response = await response.arrayBuffer();
    } else if (this.responseType === 'blob') {
      this.response = await response.blob();
    } else {
      const decoder = new TextDecoder();
      for await (const bytes of response.body ?? []) {
        this.responseText += decoder.decode(bytes, { stream: true });
        this.response = this.responseText;
        this.#setState(3);
      }
    }
  }
}

export function installXmlHttpRequest(): void {
  Object.assign(globalThis, { XMLHttpRequest: FetchRequest });
}
