import type { ConformancePage } from './page.ts';

declare global {
  interface Window {
    conformance: ConformancePage;
    /** Bodies of the page's requests, where a test notes them. */
    asked: Promise<string>[];
  }
}
