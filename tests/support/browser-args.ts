/**
 * Features of Chromium that no test looks at: its address bar loads two pages of its own for each profile, and a process
 * is kept warm for a site that nobody visits. Without them a new profile takes a fifth of the processor time.
 */
const unusedFeatures = [
  'SpareRendererForSitePerProcess',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'WebUIOmniboxPopup',
];

/** Of those that Playwright switches off, the ones that would show here; of two such lists the browser takes the last. */
const disturbingFeatures = [
  'AimEnabled',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'RenderDocument',
  'ThirdPartyStoragePartitioning',
  'Translate',
];

/** What every browser of the tests and the benchmarks is started with. */
export const browserArgs: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${[...unusedFeatures, ...disturbingFeatures].join(',')}`,
];
