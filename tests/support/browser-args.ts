/**
 * Chromium features that no test uses: the address bar loads two pages of its own for each profile, and a spare process
 * is kept for the next site. Without them opening a new profile takes a fifth of the processor time.
 */
const unusedFeatures = [
  'SpareRendererForSitePerProcess',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'WebUIOmniboxPopup',
];

/**
 * The features that Playwright disables and that would affect these tests. They are repeated here because the browser
 * uses only the last `--disable-features`.
 */
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

/** A window without the side columns of wider windows, which `desk.e2e.ts` tests. */
export const oneColumn = { width: 720, height: 720 };

/** The arguments of every browser that the tests and the benchmarks start. */
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
