/** What the page with the Firestore SDK does when the runner asks it to. */
export interface LiveRequest {
  /** Of the backend. */
  readonly url: string;
  readonly commits: number;
}

export interface LivePage {
  /** From one device's commit until the other's listener is called, in milliseconds. */
  latencies(request: LiveRequest): Promise<readonly number[]>;
}

declare global {
  interface Window {
    readonly live: LivePage;
  }
}
