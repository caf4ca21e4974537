import type { ConformancePage } from './page.ts';

declare global {
  interface Window {
    conformance: ConformancePage;
    /** The bodies of the requests of the page, if a test records them. */
    asked: Promise<string>[];
  }
}
