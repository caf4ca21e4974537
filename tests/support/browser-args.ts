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

/** The feature that Playwright enables, repeated for the same reason as the {@link disturbingFeatures}. */
const screenshots = 'CDPScreenshotNewSurface';

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

/**
 * Features of Chromium's allocator that check memory for errors or give it back early. Without them a test takes six
 * percent less processor time.
 */
const allocatorChecks = [
  'PartitionAllocBackupRefPtr',
  'PartitionAllocEventuallyZeroFreedMemory',
  'PartitionAllocMemoryReclaimer',
  'PartitionAllocSchedulerLoopQuarantine',
  'PartitionAllocSortActiveSlotSpans',
  'PartitionAllocSortSmallerSlotSpanFreeLists',
  'PartitionAllocStraightenLargerSlotSpanFreeLists',
];

/** They let the allocator keep more freed memory for its next use. */
const allocatorCaches = [
  'PartitionAllocLargeEmptySlotSpanRing',
  'PartitionAllocLargeThreadCacheSize',
];

/** A window without the side columns of wider windows, which `desk.e2e.ts` tests. */
export const oneColumn = { width: 720, height: 720 };

const argsWith = (features: { disabled: readonly string[]; enabled: readonly string[] }) => [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${[...unusedFeatures, ...disturbingFeatures, ...features.disabled].join(',')}`,
  `--enable-features=${[screenshots, ...features.enabled].join(',')}`,
];

/** The arguments of every browser that the tests start. */
export const browserArgs: readonly string[] = argsWith({
  disabled: allocatorChecks,
  enabled: allocatorCaches,
});

/** The arguments of a browser that a benchmark measures: its allocator is that of an owner's. */
export const measuredBrowserArgs: readonly string[] = argsWith({ disabled: [], enabled: [] });
