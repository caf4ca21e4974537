const webm = ['audio/webm;codecs=opus', 'audio/webm'];
const mp4 = ['audio/mp4;codecs=mp4a.40.2', 'audio/mp4'];
const ogg = ['audio/ogg;codecs=opus', 'audio/ogg'];

export interface RecordingTypes {
  readonly isSupported: (contentType: string) => boolean;
  /**
   * Whether the browser is Safari or any browser on iOS, which report that they record webm, and then play it badly.
   */
  readonly isWebKit: boolean;
}

/**
 * Returns the first supported type, in the order of the specification, but mp4 first on WebKit. @returns null for the
 * browser's default.
 */
export function recordingType({ isSupported, isWebKit }: RecordingTypes): string | null {
  const wanted = isWebKit ? [...mp4, ...webm, ...ogg] : [...webm, ...mp4, ...ogg];
  return wanted.find((type) => isSupported(type)) ?? null;
}

/**
 * Whether a browser is WebKit. @param userAgent other engines also contain AppleWebKit, with their own names; on iOS
 * all browsers are WebKit.
 */
export function isWebKitAgent(userAgent: string): boolean {
  return /AppleWebKit/.test(userAgent) && !/Chrom(e|ium)|Android|Edg\//.test(userAgent);
}
