import type { ConformancePage } from './page.ts';

declare global {
  interface Window {
    conformance: ConformancePage;
  }
}
