const webm = ['audio/webm;codecs=opus', 'audio/webm'];
const mp4 = ['audio/mp4;codecs=mp4a.40.2', 'audio/mp4'];
const ogg = ['audio/ogg;codecs=opus', 'audio/ogg'];

export interface RecordingTypes {
  readonly isSupported: (contentType: string) => boolean;
  /** Safari, and everything on iOS: it says that it records webm, and then plays it badly. */
  readonly isWebKit: boolean;
}

/** In the order of the specification, but mp4 first on WebKit. @returns null: as the browser likes. */
export function recordingType({ isSupported, isWebKit }: RecordingTypes): string | null {
  const wanted = isWebKit ? [...mp4, ...webm, ...ogg] : [...webm, ...mp4, ...ogg];
  return wanted.find((type) => isSupported(type)) ?? null;
}

/** @param userAgent other browsers name themselves beside AppleWebKit; on iOS they are WebKit all the same. */
export function isWebKitAgent(userAgent: string): boolean {
  return /AppleWebKit/.test(userAgent) && !/Chrom(e|ium)|Android|Edg\//.test(userAgent);
}
